package validate_test

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// The functions of this file are written like generated ones. Like those of large
// types, they are not inlined, but all paths must still be on the stack.

type node struct {
	name     text
	ports    []port
	pointers []*port
	labels   map[text]text
	children []node
	byName   map[text]node
}

// validateNode is recursive. Go allocates a variable that is declared in a loop on the
// heap if its address is passed to the function that contains the loop, directly or
// through another function. For that reason, the path is declared before the loop over
// children, and the entries of byName are passed by value.
//
//go:noinline
func validateNode(r *Run, at *Path, obj, old *node) {
	{
		at := at.Child("name")
		if Required(r, &at, obj.name != "") {
			ShortName(r, &at, obj.name)
			MaxLength(r, &at, obj.name, 20)
		}
	}
	{
		at := at.Child("ports")
		MaxItems(r, &at, len(obj.ports), 100)
		UniqueFunc(r, &at, obj.ports, hashPort, samePort)
		var cursor Cursor
		for i := range obj.ports {
			at := at.Index(i)
			var oldPort *port
			if old != nil {
				oldPort = Lookup(old.ports, &cursor, &obj.ports[i], hashPort, samePort)
			}
			validatePort(r, &at, &obj.ports[i], oldPort)
		}
	}
	{
		at := at.Child("pointers")
		if NoNilItems(r, &at, obj.pointers) {
			var cursor Cursor
			for i, item := range obj.pointers {
				at := at.Index(i)
				var oldPort *port
				if old != nil {
					oldPort = LookupPtr(old.pointers, &cursor, item, hashPort, samePort)
				}
				validatePort(r, &at, item, oldPort)
			}
		}
	}
	{
		at := at.Child("labels")
		for key, value := range Entries(r, obj.labels) {
			LabelKey(r, &at, key)
			at := at.Key(string(key))
			validateLabel(r, &at, &value)
		}
	}
	{
		at := at.Child("children")
		var item Path
		for i := range obj.children {
			item = at.Index(i)
			validateNode(r, &item, &obj.children[i], nil)
		}
	}
	{
		at := at.Child("byName")
		for key, value := range Entries(r, obj.byName) {
			validateNodeEntry(r, &at, key, value)
		}
	}
}

//go:noinline
func validateNodeEntry(r *Run, at *Path, key text, value node) {
	item := at.Key(string(key))
	validateNode(r, &item, &value, nil)
}

//go:noinline
func validatePort(r *Run, at *Path, obj, old *port) {
	{
		at := at.Child("protocol")
		Enum(r, &at, obj.Protocol, []text{"TCP", "UDP"})
	}
	{
		at := at.Child("number")
		Minimum(r, &at, obj.Number, 1)
		Maximum(r, &at, obj.Number, 65535)
		if old != nil && r.IsUpdate() {
			Monotonic(r, &at, obj.Number, old.Number)
		}
	}
}

//go:noinline
func validateLabel(r *Run, at *Path, value *text) { LabelValue(r, at, *value) }

func newNode(depth int) *node {
	n := &node{name: "name", labels: map[text]text{"example.com/a": "b", "c": "d"}, byName: map[text]node{}}
	for i := range 40 {
		n.ports = append(n.ports, port{Protocol: "TCP", Number: number(i + 1)})
	}
	n.pointers = allPtrs(n.ports[:5])
	if depth > 0 {
		for i := range 3 {
			n.children = append(n.children, *newNode(depth - 1))
			n.byName[text(fmt.Sprint(i))] = *newNode(depth - 1)
		}
	}
	return n
}

func TestGeneratedDoesNotAllocate(t *testing.T) {
	optimised(t)
	obj, old := newNode(2), newNode(2)
	var errs field.ErrorList
	if n := testing.AllocsPerRun(20, func() {
		r := NewRun(ctx, update, base)
		var root Path
		validateNode(&r, &root, obj, old)
		errs = r.Errors()
	}); n != 0 || errs != nil {
		t.Errorf("%v allocations, %v", n, errs)
	}
}

func TestGeneratedErrors(t *testing.T) {
	obj := newNode(1)
	obj.name = ""
	obj.ports[39].Number = 3
	obj.pointers = append(obj.pointers, nil)
	obj.children[1].ports[9].Protocol = "SCTP"
	obj.byName["2"].labels["c"] = "!"
	obj.byName["0"].labels["?"] = "!"
	var want = []string{
		"name: Required value",
		"ports[39]: Duplicate value: {\"Protocol\":\"TCP\",\"Number\":3,\"Notes\":null}",
		"pointers[5]: Required value",
		"children[1].ports[9].protocol: Unsupported value: \"SCTP\": supported values: \"TCP\", \"UDP\"",
		"byName[0].labels: Invalid value: \"?\"",
		"byName[0].labels[?]: Invalid value: \"!\"",
		"byName[2].labels[c]: Invalid value: \"!\"",
	}
	for range orders {
		r := NewRun(ctx, create, nil)
		var root Path
		validateNode(&r, &root, obj, nil)
		errs := r.Errors()
		if len(errs) != len(want) {
			t.Fatalf("got %v", errs)
		}
		for i, err := range errs {
			if got := err.Error(); len(got) < len(want[i]) || got[:len(want[i])] != want[i] {
				t.Errorf("error %d: got %s, want %s...", i, got, want[i])
			}
		}
	}
}

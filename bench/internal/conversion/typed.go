package conversion

import (
	"encoding/json"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/conversion"

	"github.com/kindsmith/kindsmith/bench/internal/conversion/theirs"
	"github.com/kindsmith/kindsmith/bench/internal/measure"
	v1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	"github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
)

// Typed is a conversion of Go objects by code of conversion-gen and of kindsmith.
type Typed struct {
	Name string
	// Theirs and Ours return the converted object.
	Theirs, Ours func() (any, error)
	// Copy copies the object: no conversion that shares no memory with its input can do less.
	Copy func()
}

// copies is implemented by pointers to In.
type copies[In any] interface {
	*In
	DeepCopyInto(out *In)
}

// typed returns the conversion of an object by two functions of the same signature.
func typed[In, Out any, P copies[In]](name string, in P, theirs, ours func(*In, *Out, conversion.Scope) error) Typed {
	run := func(convert func(*In, *Out, conversion.Scope) error) func() (any, error) {
		return func() (any, error) {
			out := new(Out)
			return out, convert(in, out, nil)
		}
	}
	return Typed{name, run(theirs), run(ours), func() { in.DeepCopyInto(new(In)) }}
}

// TypedConversions returns the conversions of a database of about a size. All its values come back from the other version.
func TypedConversions(size int) ([]Typed, error) {
	text, err := database("v1beta1", 0, size)
	if err != nil {
		return nil, err
	}
	older, hub := &v1beta1.Database{}, &v1.Database{}
	if err := json.Unmarshal(text, older); err != nil {
		return nil, err
	}
	if text, err = database("v1", 0, size); err == nil {
		err = json.Unmarshal(text, hub)
	}
	return []Typed{
		typed("Database v1beta1→v1", older, theirs.Convert_v1beta1_Database_To_v1_Database, v1beta1.Convert_v1beta1_Database_To_v1_Database),
		typed("Database v1→v1beta1", hub, theirs.Convert_v1_Database_To_v1beta1_Database, v1beta1.Convert_v1_Database_To_v1beta1_Database),
	}, err
}

// runTyped prints the time and the allocations of conversions of Go objects.
func runTyped(out io.Writer, effort measure.Effort) error {
	fmt.Fprintf(out, "Conversions of Go objects: ns and allocations per object, the best of %d rounds in turns. conversion-gen's\n", effort.Rounds)
	fmt.Fprintf(out, "share memory with the original; kindsmith's copy it, and track what a version cannot represent.\n")
	fmt.Fprintf(out, "DeepCopy alone is the least that a conversion without shared memory needs\n\n")
	fmt.Fprintf(out, "%-28s | %9s %6s | %9s %6s | %9s %6s | %8s | %8s\n", "", "theirs ns", "allocs", "copy ns", "allocs", "ours ns", "allocs", "÷ theirs", "÷ copy")
	for _, size := range []int{2 << 10, 50 << 10} {
		conversions, err := TypedConversions(size)
		if err != nil {
			return err
		}
		for _, c := range conversions {
			results, err := measure.InTurns(effort, func() { _, _ = c.Theirs() }, c.Copy, func() { _, _ = c.Ours() })
			if err != nil {
				return err
			}
			theirs, copied, ours := results[0], results[1], results[2]
			fmt.Fprintf(out, "%2d KB %-22s | %9.0f %6d | %9.0f %6d | %9.0f %6d | %7.2f× | %7.2f×\n", size>>10, c.Name, theirs.NsPerOp, theirs.Allocs,
				copied.NsPerOp, copied.Allocs, ours.NsPerOp, ours.Allocs, ours.NsPerOp/theirs.NsPerOp, ours.NsPerOp/copied.NsPerOp)
		}
	}
	_, err := fmt.Fprintln(out)
	return err
}

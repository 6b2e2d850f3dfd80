package rollouttest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// shapes has fields of all kinds. Inner is recursive.
type everything struct {
	metav1.TypeMeta `json:",inline"`
	Embedded        `json:",inline"`
	*Pointed
	Text     string                     `json:"text"`
	Small    int8                       `json:"small"`
	Positive uint16                     `json:"positive"`
	Huge     uint64                     `json:"huge"`
	Real     float64                    `json:"real"`
	Flag     *bool                      `json:"flag"`
	Bytes    []byte                     `json:"bytes"`
	Amount   resource.Quantity          `json:"amount"`
	Percent  intstr.IntOrString         `json:"percent"`
	Waits    metav1.Duration            `json:"waits"`
	Plain    time.Duration              `json:"plain"`
	At       *metav1.Time               `json:"at"`
	List     []string                   `json:"list"`
	Pointers []*Embedded                `json:"pointers"`
	Map      map[string]map[string]int8 `json:"map"`
	Inner    *everything                `json:"inner"`
	Anything any                        `json:"anything"`
	Hidden   string                     `json:"-"`
	Unnamed  string
}

type Embedded struct {
	A string `json:"a,omitempty"`
}

type Pointed struct {
	B string `json:"b,omitempty"`
}

// TestEveryChangeCanBeRead mutates objects at random. The result can always be decoded
// into the type, and every field is used.
func TestEveryChangeCanBeRead(t *testing.T) {
	s := shapeOf(reflect.TypeFor[*everything]())
	rng := rand.New(rand.NewPCG(1, 1))
	m := mutator{choose: rng, know: newKnowledge(nil)}
	seen := map[string]map[string]bool{}
	for range 300 {
		var tree any = map[string]any{}
		for range 30 {
			tree = m.change(s, tree)
			data, err := json.Marshal(tree)
			if err != nil {
				t.Fatal(err)
			}
			if err := utiljson.Unmarshal(data, new(everything)); err != nil {
				t.Fatalf("%v: %s", err, data)
			}
		}
		for key, value := range tree.(map[string]any) {
			if seen[key] == nil {
				seen[key] = map[string]bool{}
			}
			seen[key][fmt.Sprint(value)] = true
		}
	}
	want := []string{"Unnamed", "a", "amount", "anything", "at", "b", "bytes", "flag", "huge", "inner", "list", "map", "percent",
		"plain", "pointers", "positive", "real", "small", "text", "waits"}
	var fields []string
	for key, values := range seen {
		fields = append(fields, key)
		if len(values) < 2 && key != "anything" {
			t.Errorf("%s was never changed: %v", key, values)
		}
	}
	slices.Sort(fields)
	if !slices.Equal(fields, want) {
		t.Errorf("fields %v, want %v", fields, want)
	}
}

func TestChangesShareNothing(t *testing.T) {
	s := shapeOf(reflect.TypeFor[*everything]())
	m := mutator{choose: rand.New(rand.NewPCG(1, 1)), know: newKnowledge(nil)}
	tree := parse(t, `{"list": ["x", "y"], "map": {"k": {"l": 1}}, "inner": {"list": ["z"]}}`)
	before := fmt.Sprint(tree)
	for range 2000 {
		m.change(s, tree)
	}
	if after := fmt.Sprint(tree); after != before {
		t.Errorf("%s has become %s", before, after)
	}
}

func TestTape(t *testing.T) {
	c := &tape{bytes: []byte{5, 1, 2, 7}}
	for _, want := range []struct{ n, choice int }{{4, 1}, {1, 0}, {1000, 258}, {8, 7}, {100, 0}, {2, 0}} {
		if got := c.IntN(want.n); got != want.choice {
			t.Errorf("of %d: %d, want %d", want.n, got, want.choice)
		}
	}
}

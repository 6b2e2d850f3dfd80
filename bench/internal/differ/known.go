package differ

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/bench/internal/pair"
)

//go:embed known.yaml
var knownYAML []byte

// Known is an intended difference: a bug of upstream's tool, or a deliberate choice of
// this project.
type Known struct {
	// Kinds is a pattern of path.Match for kinds, such as core/v1.*; Path is a
	// regular expression for all of an error's path.
	Kinds string `json:"kinds"`
	Path  string `json:"path"`
	// Type and Origin are those of the errors, "" for any; Side is the tool that
	// reports them, ours or theirs.
	Type   string `json:"type,omitempty"`
	Origin string `json:"origin,omitempty"`
	Side   string `json:"side"`
	// OldDuplicates restricts the entry to lists whose old value has two items with
	// the same identity.
	OldDuplicates bool `json:"oldDuplicates,omitempty"`
	// Reason explains the difference.
	Reason string `json:"reason"`
	// Example is a request with the difference. If it no longer has the difference,
	// the entry is stale.
	Example Example `json:"example"`
}

// Example is the file format of a request.
type Example struct {
	Kind    string          `json:"kind"`
	Object  json.RawMessage `json:"object"`
	Old     json.RawMessage `json:"old,omitempty"`
	Options map[string]bool `json:"options,omitempty"`
}

// ReadKnown returns the list of known differences.
func ReadKnown() ([]*Known, error) {
	var list []*Known
	if err := yaml.UnmarshalStrict(knownYAML, &list); err != nil {
		return nil, fmt.Errorf("known.yaml: %w", err)
	}
	for i, k := range list {
		if k.Reason == "" || k.Side != "ours" && k.Side != "theirs" || len(k.Example.Object) == 0 {
			return nil, fmt.Errorf("known.yaml: entry %d needs a reason, a side and an example", i+1)
		}
		if _, err := regexp.Compile(k.Path); err != nil {
			return nil, fmt.Errorf("known.yaml: entry %d: %w", i+1, err)
		}
	}
	return list, nil
}

// covers reports whether the entry matches an error that only one side reports.
func (k *Known) covers(d *Difference, side string, key Key) bool {
	if ok, err := path.Match(k.Kinds, d.Kind.String()); err != nil || !ok {
		return false
	}
	if side != k.Side || k.Type != "" && k.Type != key.Type || k.Origin != "" && k.Origin != key.Origin {
		return false
	}
	return regexp.MustCompile("^(?:"+k.Path+")$").MatchString(key.Path) && (!k.OldDuplicates || d.oldDuplicates(key.Path))
}

// oldDuplicates reports whether an old list on the path has duplicates, according to
// upstream's validator.
func (d *Difference) oldDuplicates(path string) bool {
	if d.Input.Old == nil {
		return false
	}
	before := Input{Object: d.Input.Old, Options: d.Input.Options}
	return slices.ContainsFunc(Validate(d.Kind.Theirs, before), func(e *field.Error) bool {
		return e.Type == field.ErrorTypeDuplicate && strings.HasPrefix(path, e.Field[:strings.LastIndexByte(e.Field, '[')+1])
	})
}

// Unknown returns the part of a difference that no entry covers.
func (d *Difference) Unknown(list []*Known) *Difference {
	drop := func(side string, keys []Key) []Key {
		return slices.DeleteFunc(slices.Clone(keys), func(key Key) bool {
			return slices.ContainsFunc(list, func(k *Known) bool { return k.covers(d, side, key) })
		})
	}
	return &Difference{Kind: d.Kind, Input: d.Input, Ours: drop("ours", d.Ours), Theirs: drop("theirs", d.Theirs)}
}

// Stale returns an error if the entry's example does not have its difference.
func (k *Known) Stale(kinds []pair.Kind) error {
	i := slices.IndexFunc(kinds, func(kind pair.Kind) bool { return kind.String() == k.Example.Kind })
	if i < 0 {
		return fmt.Errorf("%s: unknown kind %q", k.Reason, k.Example.Kind)
	}
	in, err := k.Example.Input(kinds[i])
	if err != nil {
		return fmt.Errorf("%s: %w", k.Reason, err)
	}
	d := Compare(kinds[i], in, nil)
	keys := map[string][]Key{"ours": d.Ours, "theirs": d.Theirs}[k.Side]
	if !slices.ContainsFunc(keys, func(key Key) bool { return k.covers(d, k.Side, key) }) {
		return fmt.Errorf("%s: the example no longer has this difference; only ours: %v, only theirs: %v", k.Reason, d.Ours, d.Theirs)
	}
	return nil
}

// Input reads the example.
func (e *Example) Input(k pair.Kind) (Input, error) {
	in := Input{Object: k.New(), Options: e.Options}
	if err := yaml.UnmarshalStrict(e.Object, in.Object); err != nil {
		return in, err
	}
	if len(e.Old) > 0 {
		in.Old = k.New()
		if err := yaml.UnmarshalStrict(e.Old, in.Old); err != nil {
			return in, err
		}
	}
	return in, nil
}

package rule

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// kinds are the predicates by their names in JSON: their types' names with a lower-case first
// letter.
var kinds = func() map[string]reflect.Type {
	all := []Predicate{
		&Required{}, &IsSet{}, &Forbidden{}, &Limit{}, &NotEqual{}, &Pattern{}, &Format{}, &Enum{}, &ListType{}, &Unique{}, &NoNils{},
		&Immutable{}, &Monotonic{}, &Update{}, &Call{}, &Fixed{}, &Dependent{}, &Union{}, &Each{}, &Part{}, &Item{}, &Modes{}, &CEL{},
	}
	m := map[string]reflect.Type{}
	for _, p := range all {
		m[KindOf(p)] = reflect.TypeOf(p).Elem()
	}
	return m
}()

// KindOf returns the name of a predicate's kind.
func KindOf(p Predicate) string {
	name := reflect.TypeOf(p).Elem().Name()
	return strings.ToLower(name[:1]) + name[1:]
}

// plain is Rule without its methods.
type plain Rule

// MarshalJSON writes the predicate as an object with a member named after its kind.
func (r Rule) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		plain
		Must map[string]Predicate `json:"must"`
	}{plain(r), map[string]Predicate{KindOf(r.Must): r.Must}})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Rule) UnmarshalJSON(data []byte) error {
	var in struct {
		plain
		Must map[string]json.RawMessage `json:"must"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*r = Rule(in.plain)
	for kind, raw := range in.Must {
		t, ok := kinds[kind]
		if !ok {
			return fmt.Errorf("there is no predicate %q", kind)
		}
		p := reflect.New(t)
		if err := json.Unmarshal(raw, p.Interface()); err != nil {
			return err
		}
		r.Must, _ = p.Interface().(Predicate)
	}
	if r.Must == nil {
		return fmt.Errorf("the rule of %s has no predicate", r.Tag)
	}
	return nil
}

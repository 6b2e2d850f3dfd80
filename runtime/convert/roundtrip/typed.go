package roundtrip

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// typed is a tested object that is a Go object.
type typed struct {
	*subject
	object any
	// encoded is the JSON of the Go object.
	encoded *subject
	// isHeld means that Go objects of the newest version, which all conversions pass, are the same as the JSON.
	isHeld bool
}

// typed returns the Go object.
func (o *subject) typed() (*typed, *violation) {
	object, err := o.decode(o.text, o.from)
	if err != nil {
		return nil, fails("Go cannot read the object", o.from, err)
	}
	text, err := json.Marshal(object)
	if err != nil {
		return nil, fails("encoding", o.from, err)
	}
	t := &typed{o, object, &subject{origin: o.origin, text: text, converted: map[*version]*result{}}, false}
	newest := o.kind.versions[len(o.kind.versions)-1]
	t.isHeld = o.holds(t.encoded.in(newest), newest)
	return t, nil
}

// check checks that Go objects convert as their JSON does, and are the same after a round trip.
func (o *typed) check(via *version, _ *node) *violation {
	out, err := o.convertTyped(o.object, o.from, via)
	converted := o.encoded.in(via)
	switch {
	case (err == nil) != (converted.err == nil):
		return &violation{"JSON and Go objects convert differently", via, difference{a: fmt.Sprintf("JSON fails with %v", converted.err), b: fmt.Sprintf("Go objects fail with %v", err)}}
	case err != nil:
		return nil
	}
	there, err := o.decode(converted.text, via)
	if err != nil {
		return fails("Go cannot read the object", via, err)
	}
	if !o.isHeld || !o.holds(converted, via) {
		return nil
	}
	if v := o.agree("JSON and Go objects convert differently", via, via, there, out); v != nil {
		return v
	}
	if at := shared(o.object, out); at != "" {
		return &violation{"memory is shared", via, difference{path: at, a: "the converted object has memory of the original"}}
	}
	if after, err := json.Marshal(o.object); err != nil || !bytes.Equal(o.encoded.text, after) {
		return &violation{"the original changes", via, difference{a: string(o.encoded.text), b: string(after)}}
	}
	if o.kind.store == "" {
		return nil
	}
	back, err := o.convertTyped(out, via, o.from)
	if err != nil {
		return fails(o.law(via)+", Go", via, err)
	}
	return o.agree(o.law(via)+", Go", via, o.from, o.object, back)
}

// holds reports whether a Go object of a version is the same as the JSON that it is decoded from: Go leaves out an empty struct with
// omitzero, which is not absent if a version has a default for one of its fields.
func (o *origin) holds(object *result, v *version) bool {
	is, err := object.tree()
	if err != nil {
		return false
	}
	decoded, err := o.decode(object.text, v)
	if err != nil {
		return false
	}
	text, err := json.Marshal(decoded)
	if err != nil {
		return false
	}
	encoded, err := parse(text)
	return err == nil && (comparison{}).diff(o.untracked(is), o.untracked(encoded), v.shape, "") == nil
}

// agree compares the JSON of Go objects of a version.
func (o *origin) agree(law string, via, of *version, a, b any) *violation {
	var trees [2]*node
	for i, object := range []any{a, b} {
		text, err := encode(object)
		if err == nil {
			trees[i], err = parse(text)
		}
		if err != nil {
			return fails(law, via, err)
		}
	}
	if d := (comparison{encoded: true}).diff(o.untracked(trees[0]), o.untracked(trees[1]), of.shape, ""); d != nil {
		return &violation{law, via, *d}
	}
	if a, b := o.stored(trees[0]), o.stored(trees[1]); a != b {
		return &violation{law + ", stored values", via, difference{"", a, b}}
	}
	return nil
}

// reads returns an error if Go cannot decode an object of a version.
func (s *suite) reads(text []byte, v *version) error {
	_, err := s.decode(text, v)
	return err
}

func (s *suite) decode(text []byte, v *version) (any, error) {
	o := reflect.New(v.typ).Interface()
	return o, utiljson.Unmarshal(text, o)
}

// convertTyped converts through the newest version.
func (o *origin) convertTyped(in any, from, to *version) (any, error) {
	if from.conversions != nil {
		out := reflect.New(from.conversions.newest).Interface()
		if err := from.conversions.up(in, out); err != nil {
			return nil, err
		}
		in = out
	}
	if to.conversions != nil {
		out := reflect.New(to.conversions.older).Interface()
		if err := to.conversions.down(in, out); err != nil {
			return nil, err
		}
		in = out
	}
	return in, nil
}

// encode returns the JSON of a Go object without its TypeMeta, which conversions leave to schemes.
func encode(object any) ([]byte, error) {
	bare := reflect.New(reflect.TypeOf(object).Elem())
	bare.Elem().Set(reflect.ValueOf(object).Elem())
	if meta := bare.Elem().FieldByName("TypeMeta"); meta.IsValid() {
		meta.SetZero()
	}
	return json.Marshal(bare.Interface())
}

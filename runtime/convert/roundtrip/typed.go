package roundtrip

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// typed is a tested object that is a Go object.
type typed struct {
	*subject
	object any
	// encoded is the JSON of the Go object, and memory what conversions must not share.
	encoded *subject
	memory  memory
	// newest is the Go object in the newest version, through which all conversions go, or err the reason why there is none.
	newest any
	err    error
}

// typed returns the Go object.
func (o *subject) typed() (*typed, *violation) {
	object, err := o.start.decode(o.from)
	if err != nil {
		return nil, fails("Go cannot read the object", o.from, err)
	}
	text, err := json.Marshal(object)
	if err != nil {
		return nil, fails("encoding", o.from, err)
	}
	t := &typed{subject: o, object: object, memory: memory{}, encoded: &subject{origin: o.origin, start: o.results.of(text)}}
	t.memory.add(reflect.ValueOf(object))
	t.newest, t.err = upgrade(object, o.from)
	return t, nil
}

// check checks that Go objects convert as their JSON does, and are the same after a round trip.
func (o *typed) check(via *version, _ *result) *violation {
	out, err := any(nil), o.err
	if err == nil {
		out, err = downgrade(o.newest, via)
	}
	converted := o.encoded.into(via)
	switch {
	case (err == nil) != (converted.err == nil):
		return &violation{"JSON and Go objects convert differently", via, difference{a: fmt.Sprintf("JSON fails with %v", converted.err), b: fmt.Sprintf("Go objects fail with %v", err)}}
	case err != nil:
		return nil
	}
	if _, err := converted.decode(via); err != nil {
		return fails("Go cannot read the object", via, err)
	}
	if v := o.agree("JSON and Go objects convert differently", via, via, converted, out); v != nil {
		return v
	}
	if at := o.memory.shared(o.object, out); at != "" {
		return &violation{"memory is shared", via, difference{path: at, a: "the converted object has memory of the original"}}
	}
	if after, err := json.Marshal(o.object); err != nil || !bytes.Equal(o.encoded.start.text, after) {
		return &violation{"the original changes", via, difference{a: string(o.encoded.start.text), b: string(after)}}
	}
	if o.kind.store == jsonconvert.Untracked {
		return nil
	}
	back, err := upgrade(out, via)
	if err == nil {
		back, err = downgrade(back, o.from)
	}
	if err != nil {
		return fails(o.law(via)+", Go", via, err)
	}
	return o.agree(o.law(via)+", Go", via, o.from, o.start, back)
}

// agree compares a Go object of a version with that of a result.
func (o *origin) agree(law string, via, of *version, should *result, is any) *violation {
	a, err := should.encode(of)
	if err != nil {
		return fails(law, via, err)
	}
	b, err := encode(is)
	if err != nil {
		return fails(law, via, err)
	}
	if bytes.Equal(a, b) {
		return nil
	}
	left, right := o.results.of(a), o.results.of(b)
	x, err := o.bare(left)
	if err != nil {
		return fails(law, via, err)
	}
	y, err := o.bare(right)
	if err != nil {
		return fails(law, via, err)
	}
	if d := (comparison{encoded: true}).diff(x, y, of.shape); d != nil {
		return &violation{law, via, *d}
	}
	if a, b := o.storedIn(left, of), o.storedIn(right, of); a != b {
		return &violation{law + ", stored values", via, difference{"", a, b}}
	}
	return nil
}

// upgrade returns a Go object in the newest version.
func upgrade(in any, from *version) (any, error) {
	if from.conversions == nil {
		return in, nil
	}
	out := reflect.New(from.conversions.newest).Interface()
	return out, from.conversions.up(in, out)
}

// downgrade returns a Go object of the newest version in another.
func downgrade(in any, to *version) (any, error) {
	if to.conversions == nil {
		return in, nil
	}
	out := reflect.New(to.conversions.older).Interface()
	return out, to.conversions.down(in, out)
}

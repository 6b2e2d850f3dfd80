package roundtrip

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/runtime/wire"
)

// decoded is an object in Go.
type decoded struct {
	// object is what is converted, and before the JSON that it must still have afterwards.
	object       any
	text, before []byte
	err          error
}

// typed checks the laws for Go objects, and that both forms agree on what Go objects encode.
func (p *pair) typed(o *subject) *violation {
	if o.decoded == nil {
		o.decoded = p.stable(o.text)
	}
	d := o.decoded
	if d.err != nil {
		return fails("encoding", d.err)
	}
	converted := p.byGo(d.text)
	out, err := p.convertTyped(d.object, p.from, p.via)
	if (err == nil) != (converted.err == nil) {
		return &violation{"JSON and Go objects convert differently", difference{a: fmt.Sprintf("JSON fails with %v", converted.err), b: fmt.Sprintf("Go objects fail with %v", err)}}
	}
	if err != nil {
		return nil
	}
	there, err := p.decode(converted.text, p.via)
	if err != nil {
		return fails("decoding", err)
	}
	thereText, err := encode(there)
	if err != nil {
		return fails("encoding", err)
	}
	agree := comparison{shapes: &shapes{}}
	if leavesOut(converted.text, thereText) {
		// Clients of JSON have a value that no Go object has, so other values need to be tracked.
	} else if p.writesUnset(converted.text, thereText) {
		// Go objects have a zero value, which JSON lacks, and track that it was none.
	} else if v := p.compare(agree, thereText, out, p.via, "JSON and Go objects convert differently"); v != nil {
		return v
	}
	if at := shared(d.object, out); at != "" {
		return &violation{"memory is shared", difference{path: at, a: "the converted object has memory of the original"}}
	}
	if before, after := p.meta(d.object), p.meta(out); !equality.Semantic.DeepEqual(before, after) {
		return &violation{"L7, Go", difference{"metadata", fmt.Sprint(before), fmt.Sprint(after)}}
	}
	back, err := p.convertTyped(out, p.via, p.from)
	if err != nil {
		return nil // the law for JSON has compared what the failure is about
	}
	if v := p.compare(agree, d.before, d.object, p.from, "the original changes"); v != nil {
		return v
	}
	return p.compare(comparison{shapes: p.from.shapes, via: p.via.name}, d.before, back, p.from, p.law()+", Go")
}

// stable returns an object as a Go object, and the JSON that it decodes from and encodes to. Go objects
// differ in what JSON does not express: encoding leaves out an empty list, and then the struct that has
// only this list. A quantity of 0 is like an unset one, which it is where Go leaves out the struct around it.
func (f *origin) stable(text []byte) *decoded {
	for {
		o, err := f.decode(text, f.from)
		if err != nil {
			return &decoded{err: err}
		}
		again, err := json.Marshal(o)
		if err == nil && bytes.Equal(text, again) {
			bare, _ := f.decode(text, f.from)
			unset(reflect.ValueOf(bare))
			again, err = json.Marshal(bare)
		}
		if err != nil {
			return &decoded{err: err}
		}
		if bytes.Equal(text, again) {
			before, err := encode(o)
			return &decoded{object: o, text: text, before: before, err: err}
		}
		text = again
	}
}

// meta returns the metadata of an object without tracked values, nil if it has none.
func (p *pair) meta(o any) any {
	f := reflect.ValueOf(o).Elem().FieldByName("ObjectMeta")
	if !f.IsValid() {
		return nil
	}
	meta, ok := f.Interface().(metav1.ObjectMeta)
	if !ok {
		return f.Interface()
	}
	meta.Annotations = maps.Clone(meta.Annotations)
	meta.Labels = maps.Clone(meta.Labels)
	delete(meta.Annotations, wire.TrackingAnnotation(p.group))
	for _, e := range p.moved() {
		delete(map[string]map[string]string{"annotations": meta.Annotations, "labels": meta.Labels}[e.Map], e.Key)
	}
	return meta
}

// byGo converts JSON like Go objects: by way of what a Go object of the newest version encodes. A struct that Go always
// writes has zero values there that may need to be tracked.
func (p *pair) byGo(text []byte) *result {
	if p.from.conversions == nil || p.via.conversions == nil {
		return p.convert(text, p.via)
	}
	hub := p.kind.versions[len(p.kind.versions)-1]
	converted := p.convert(text, hub)
	if converted.err != nil {
		return converted
	}
	object, err := p.decode(converted.text, hub)
	if err != nil {
		return &result{err: err}
	}
	encoded, err := json.Marshal(object)
	if err == nil {
		encoded, err = withStatusMade(encoded, converted.text)
	}
	if err != nil {
		return &result{err: err}
	}
	return p.convert(encoded, p.via)
}

// withStatusMade returns an object that Go encodes with the status of the JSON that it is decoded from, if tracking
// made that status.
func withStatusMade(encoded, text []byte) ([]byte, error) {
	before, err := parse(text)
	if err != nil {
		return nil, err
	}
	made := before.get("status")
	values := made.get("changedValues")
	if values == nil || len(made.items) > 1 {
		return encoded, nil
	}
	if keep := values.get("keep"); keep != nil && plain(keep.text) == "status" && values.get("null") == nil {
		return encoded, nil
	}
	object, err := parse(encoded)
	if err != nil {
		return nil, err
	}
	if status := object.get("status"); status != nil {
		*status = *made
	}
	return object.append(nil, ""), nil
}

func (s *suite) decode(text []byte, v *version) (any, error) {
	o := reflect.New(v.typ).Interface()
	return o, utiljson.Unmarshal(text, o)
}

// convertTyped converts by way of the hub.
func (p *pair) convertTyped(in any, from, to *version) (any, error) {
	if from.conversions != nil {
		out := reflect.New(from.conversions.hub).Interface()
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

// compare compares the JSON of a Go object with that of another.
func (p *pair) compare(c comparison, a []byte, object any, v *version, law string) *violation {
	b, err := encode(object)
	if err != nil {
		return fails(law, err)
	}
	if bytes.Equal(a, b) {
		return nil
	}
	x, err := parse(a)
	if err != nil {
		return fails(law, err)
	}
	y, err := parse(b)
	if err != nil {
		return fails(law, err)
	}
	for _, n := range []*node{x, y} {
		p.readTracked(n)
	}
	if d := c.diff(x, y, v.typ, "", false); d != nil {
		return &violation{law, *d}
	}
	return nil
}

// readTracked replaces the text of the annotation for tracked values by the values: their keys are in any
// order.
func (p *pair) readTracked(x *node) {
	annotations := x.get("metadata").get("annotations")
	if n := annotations.get(wire.TrackingAnnotation(p.group)); n != nil {
		if values, err := parse([]byte(plain(n.text))); err == nil {
			*n = *values
		}
	}
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

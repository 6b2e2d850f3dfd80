package roundtrip

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"reflect"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// results are the objects that conversions of a tested object return, by their texts. Most laws lead to the same few objects, so each is
// parsed, decoded and converted once.
type results struct {
	seed maphash.Seed
	by   map[uint64]*result
	// buffer has the text of the last conversion.
	buffer []byte
}

// result is an object in a version, or the reason why there is none.
type result struct {
	text []byte
	err  error
	// next has a text with the same hash.
	next *result
	// in are the conversions by the age of their version.
	in []converted
	// isSpread means that the object was converted to all versions at once.
	isSpread bool
	// parsed is the tree of the text, and bare the tree without stored values. Nobody changes them.
	parsed, untracked *node
	// stored are the stored values, as a text; nil if they are not known yet.
	stored *string
	// decoded is the Go object, and encoded its JSON.
	decoded, encoded *typedResult
}

// typedResult is a Go object, or its JSON.
type typedResult struct {
	object any
	text   []byte
	err    error
}

func newResults() *results { return &results{seed: maphash.MakeSeed(), by: map[uint64]*result{}} }

// reset forgets all objects.
func (rs *results) reset() { clear(rs.by) }

// of returns the object with a text. It copies a text that it keeps.
func (rs *results) of(text []byte) *result {
	hash := maphash.Bytes(rs.seed, text)
	for r := rs.by[hash]; r != nil; r = r.next {
		if bytes.Equal(r.text, text) {
			return r
		}
	}
	r := &result{text: bytes.Clone(text), next: rs.by[hash]}
	rs.by[hash] = r
	return r
}

// ofTree returns the object with a tree, and with space before each value.
func (rs *results) ofTree(x *node, space string) *result {
	rs.buffer = x.append(rs.buffer[:0], space)
	r := rs.of(rs.buffer)
	if r.parsed == nil {
		r.parsed = x
	}
	return r
}

// converted is an object in another version.
type converted struct {
	*result
	// isStrict means that the steps on the way have lost nothing without noticing.
	isStrict bool
}

// convert returns an object in another version, in strict mode or not.
func (o *origin) convert(r *result, to *version, strict bool) *result {
	if r.in == nil {
		r.in = make([]converted, len(o.api.Versions))
	}
	if known := &r.in[to.age]; known.result == nil || strict && !known.isStrict {
		known.isStrict = strict
		if out, err := o.converter(strict).Convert(o.results.buffer[:0], r.text, to.name); err != nil {
			known.result = &result{err: err}
		} else {
			o.results.buffer, known.result = out, o.results.of(out)
		}
	}
	return r.in[to.age].result
}

// spread converts an object to all versions, each step once.
func (o *origin) spread(r *result, strict bool) {
	if r.isSpread {
		return
	}
	r.in, r.isSpread = make([]converted, len(o.api.Versions)), true
	for _, end := range []*version{o.kind.versions[0], o.kind.versions[len(o.kind.versions)-1]} {
		err := o.converter(strict).ConvertOnTheWay(r.text, end.name, func(version string, object []byte) {
			age := slices.IndexFunc(o.api.Versions, func(v jsonconvert.Version) bool { return v.Name == version })
			r.in[age] = converted{o.results.of(object), strict}
		})
		if err != nil { // an object on the way may be another, as tracked values were dropped since
			r.in = nil
			return
		}
	}
}

// tree returns the tree of an object.
func (r *result) tree() (*node, error) {
	if r.err == nil && r.parsed == nil {
		r.parsed, r.err = parse(r.text)
	}
	return r.parsed, r.err
}

// bare returns the tree of an object without stored values.
func (o *origin) bare(r *result) (*node, error) {
	if r.untracked == nil {
		x, err := r.tree()
		if err != nil {
			return nil, err
		}
		r.untracked = o.untracked(x)
	}
	return r.untracked, nil
}

// storedIn returns the stored values of an object of a version that has been parsed, as a text.
func (o *origin) storedIn(r *result, v *version) string {
	if r.stored == nil {
		stored := o.stored(r.parsed, v)
		r.stored = &stored
	}
	return *r.stored
}

// decode returns the Go object of a version.
func (r *result) decode(v *version) (any, error) {
	if r.decoded == nil {
		object := reflect.New(v.typ).Interface()
		r.decoded = &typedResult{object: object, err: utiljson.Unmarshal(r.text, object)}
	}
	return r.decoded.object, r.decoded.err
}

// encode returns the JSON of the Go object of a version, without its TypeMeta.
func (r *result) encode(v *version) ([]byte, error) {
	if r.encoded == nil {
		r.encoded = &typedResult{}
		var object any
		if object, r.encoded.err = r.decode(v); r.encoded.err == nil {
			r.encoded.text, r.encoded.err = encode(object)
		}
	}
	return r.encoded.text, r.encoded.err
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

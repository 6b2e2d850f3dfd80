package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/convert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Conversions converts the Go objects of an API between its versions. It is safe for concurrent use.
//
// Objects convert as JSON. Most of them do not need that: a copy is enough under other names, with values that functions convert. A
// copier makes it, which stops at anything else.
type Conversions struct {
	once      sync.Once
	api       *jsonconvert.API
	converter *jsonconvert.Converter
	err       error
	// routes are by the Go types of both ends.
	routes sync.Map
}

// route is the way between the Go types of a kind in two versions.
type route struct {
	// to is the version of the target.
	to string
	// typeMeta is what objects of the source have as JSON.
	typeMeta metav1.TypeMeta
	// copy copies what is copied; nil if objects always convert as JSON.
	copy copyFunc
	// marked are the labels and annotations that need more than a copy.
	marked map[string]bool
	// canLack means that Go's JSON of the target may lack what its JSON has.
	canLack bool
	// item is the route of the items of a list.
	item *route
}

// Convert sets out to in, converted from a version of an API to another. Both are pointers to objects of the same kind. They share
// no memory then. out keeps its TypeMeta, and all of it in an error. The API is that of the first call: functions of it may
// convert objects, so it can be no part of the Conversions.
func (c *Conversions) Convert(api func() *jsonconvert.API, in, out any, from, to string) error {
	if err := c.load(api); err != nil {
		return err
	}
	source, target := reflect.ValueOf(in).Elem(), reflect.ValueOf(out).Elem()
	r, err := c.route(source.Type(), target.Type(), from, to)
	if err != nil {
		return err
	}
	fresh := reflect.New(target.Type()).Elem()
	if r.item != nil {
		err = c.list(r, source, fresh)
	} else {
		err = c.object(r, source, fresh)
	}
	if err != nil {
		return err
	}
	*typeMetaOf(fresh) = *typeMetaOf(target)
	target.Set(fresh)
	return nil
}

// Value sets out to in, a value of a type of the API, converted from a version to another without functions that convert values of
// the type as a whole. It is for these functions. It keeps the TypeMeta of out, and all of out in an error.
func (c *Conversions) Value(api func() *jsonconvert.API, in, out any, typ, from, to string) error {
	if err := c.load(api); err != nil {
		return err
	}
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	if text, err = c.converter.ConvertValue(nil, text, typ, from, to); err != nil {
		return errorOf(err)
	}
	target := reflect.ValueOf(out).Elem()
	fresh := reflect.New(target.Type())
	if err := utiljson.Unmarshal(text, fresh.Interface()); err != nil {
		return fmt.Errorf("the converted value is no %s: %w", target.Type(), err)
	}
	if hasTypeMeta(target.Type()) {
		*typeMetaOf(fresh.Elem()) = *typeMetaOf(target)
	}
	target.Set(fresh.Elem())
	return nil
}

// load makes the converter, when it is first needed.
func (c *Conversions) load(api func() *jsonconvert.API) error {
	c.once.Do(func() {
		c.api = api()
		c.converter, c.err = jsonconvert.New(c.api)
	})
	return c.err
}

func hasTypeMeta(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	f, ok := t.FieldByName("TypeMeta")
	return ok && f.Type == reflect.TypeFor[metav1.TypeMeta]()
}

func (c *Conversions) route(in, out reflect.Type, from, to string) (*route, error) {
	key := [2]reflect.Type{in, out}
	if known, ok := c.routes.Load(key); ok {
		return known.(*route), nil
	}
	r, err := c.newRoute(in, out, in.Name(), from, to)
	if err != nil {
		return nil, err
	}
	known, _ := c.routes.LoadOrStore(key, r)
	return known.(*route), nil
}

func (c *Conversions) newRoute(in, out reflect.Type, kind, from, to string) (*route, error) {
	for _, t := range []reflect.Type{in, out} {
		if !hasTypeMeta(t) {
			return nil, fmt.Errorf("%s has no metav1.TypeMeta", t)
		}
	}
	r := &route{to: to, canLack: c.converter.CanLack(kind, to), marked: map[string]bool{jsonconvert.TrackingAnnotation(c.api.Group): true}}
	r.typeMeta = metav1.TypeMeta{Kind: kind, APIVersion: from}
	if c.api.Group != "" {
		r.typeMeta.APIVersion = c.api.Group + "/" + from
	}
	for _, restore := range c.api.Restores {
		r.marked[restore.Annotation] = true
	}
	for i := range c.api.Versions {
		for _, p := range c.api.Versions[i].Places {
			if p.Kind == kind {
				r.marked[p.Key] = true
			}
		}
	}
	for i := range c.api.Kinds {
		if k := &c.api.Kinds[i]; k.Name == kind && k.Item != "" {
			a, b := itemType(in), itemType(out)
			if a == nil || b == nil || a.Name() != k.Item {
				break // which converts as a whole
			}
			var err error
			if r.item, err = c.route(a, b, from, to); err != nil {
				return nil, err
			}
		}
	}
	r.copy = newCompiler(c.api, c.converter, kind, from, to).kind(in, out, kind, r.item != nil)
	return r, nil
}

// itemType returns the type of the items of a list; nil if they are no structs.
func itemType(list reflect.Type) reflect.Type {
	f, ok := list.FieldByName("Items")
	if !ok || f.Type.Kind() != reflect.Slice || f.Type.Elem().Kind() != reflect.Struct {
		return nil
	}
	return f.Type.Elem()
}

func typeMetaOf(object reflect.Value) *metav1.TypeMeta {
	return object.FieldByName("TypeMeta").Addr().Interface().(*metav1.TypeMeta)
}

// objectMetaOf returns the metadata of an object; nil if it has others than those of Kubernetes.
func objectMetaOf(object reflect.Value) *metav1.ObjectMeta {
	f := object.FieldByName("ObjectMeta")
	if !f.IsValid() {
		return nil
	}
	meta, _ := f.Addr().Interface().(*metav1.ObjectMeta)
	return meta
}

// list sets out, which is zero, to the objects of a list, converted one by one.
func (c *Conversions) list(r *route, in, out reflect.Value) error {
	if r.copy == nil || !r.copy(in, out) {
		out.SetZero()
		return c.throughJSON(r, in, out)
	}
	from, to := in.FieldByName("Items"), out.FieldByName("Items")
	if from.IsNil() {
		return nil
	}
	to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
	for i := range from.Len() {
		if err := c.object(r.item, from.Index(i), to.Index(i)); err != nil {
			return At(field.NewPath("items").Index(i), err)
		}
	}
	return nil
}

// object sets out, which is zero, to an object without its TypeMeta.
func (c *Conversions) object(r *route, in, out reflect.Value) error {
	if r.copy != nil && !r.isMarked(in) {
		if r.copy(in, out) {
			return nil
		}
		out.SetZero()
	}
	return c.throughJSON(r, in, out)
}

// isMarked reports whether the metadata of an object have what is more than a copy.
func (r *route) isMarked(object reflect.Value) bool {
	meta := objectMetaOf(object)
	if meta == nil {
		return true
	}
	for _, entries := range []map[string]string{meta.Annotations, meta.Labels} {
		if len(entries) == 0 {
			continue
		}
		for key := range r.marked {
			if _, ok := entries[key]; ok {
				return true
			}
		}
	}
	return false
}

// throughJSON converts an object, or a list, as JSON.
func (c *Conversions) throughJSON(r *route, in, out reflect.Value) error {
	typed := reflect.New(in.Type())
	typed.Elem().Set(in)
	*typeMetaOf(typed.Elem()) = r.typeMeta
	text, err := json.Marshal(typed.Interface())
	if err != nil {
		return err
	}
	if text, err = c.converter.Convert(nil, text, r.to); err != nil {
		return errorOf(err)
	}
	if err := c.decode(r, text, out); err != nil {
		return fmt.Errorf("the converted object is no %s: %w", out.Type(), err)
	}
	*typeMetaOf(out) = metav1.TypeMeta{}
	from, to := objectMetaOf(in), objectMetaOf(out)
	if from == nil || to == nil {
		return nil
	}
	// Conversions change labels and annotations only, and JSON cannot represent all of the rest.
	labels, annotations := to.Labels, to.Annotations
	from.DeepCopyInto(to)
	to.Labels, to.Annotations = labels, annotations
	return nil
}

// decode sets out, which is zero, to the object of a text. What Go's JSON of it lacks is kept in the object.
func (c *Conversions) decode(r *route, text []byte, out reflect.Value) error {
	if err := utiljson.Unmarshal(text, out.Addr().Interface()); err != nil || !r.canLack {
		return err
	}
	written, err := json.Marshal(out.Addr().Interface())
	if err != nil {
		return err
	}
	complete, err := c.converter.Complete(text, written)
	if err != nil || bytes.Equal(complete, text) {
		return err
	}
	out.SetZero()
	return utiljson.Unmarshal(complete, out.Addr().Interface())
}

// errorOf returns an error of a conversion of JSON as one of Go objects.
func errorOf(err error) error {
	var e *jsonconvert.Error
	if !errors.As(err, &e) {
		return err
	}
	return &convert.Error{Path: strings.TrimPrefix(strings.TrimPrefix(e.Path, "$"), "."), Err: e.Err}
}

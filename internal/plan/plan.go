// Package plan holds how objects convert between an older version and the hub: what
// happens to every field, value by value.
//
// A plan is plain data, built once per older version. Everything that converts, or
// describes conversion, reads plans; nothing else interprets change markers for it.
//
// In the model of a plan, each instance of a generic type is a type (instances.go, Plan.Model), so readers
// need not know generic types. A type casts if it has the same memory layout in both versions and no value
// changes (layout.go).
//
// Each operation and function has an edge for each direction: what it loses. Plan.LossOfField and
// Plan.LossOfType return the worst edge, and package loss reports the edges without an accepted loss. `kindsmith model
// --plan v1beta1` prints a plan.
package plan

import (
	"encoding/json"
	"slices"

	"github.com/kindsmith/kindsmith/internal/fixpoint"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Plans are the plans of a model, by the import path of the older version.
type Plans map[string]*Plan

// Model returns the model with the types that plans name; the given one if there is no plan.
func (p Plans) Model(m *model.Model) *model.Model {
	for _, one := range p {
		return one.Model
	}
	return m
}

// Plan is the conversion between one older version and the hub.
type Plan struct {
	Group string  `json:"group,omitempty"`
	Older Version `json:"older"`
	Hub   Version `json:"hub"`
	// Versions are the names of the group's versions in chronological order.
	Versions []string `json:"versions"`
	// Restores are the annotations from which the conversions of kinds restore what earlier conversions have stored.
	Restores []jsonconvert.Restore `json:"restores,omitempty"`
	// Types are the types that both versions have, in the order of the older version.
	Types []*Type `json:"types"`
	// Completions complete the results of the author's functions.
	Completions []*Completion `json:"completions,omitempty"`
	// Model is the model with the types that the plan names. Instances of generic types that versions have themselves
	// are types in it.
	Model *model.Model `json:"-"`

	byOlder map[model.Name]*Type
	// fills has the answers of FillsZero for types.
	fills fixpoint.Question[typeWay]
}

// Version is one end of a plan.
type Version struct {
	Name    string `json:"name"`
	Package string `json:"package"`
}

// Way is the direction of a conversion.
type Way bool

// The directions: from the older version to the hub, and back.
const (
	Up   Way = true
	Down Way = false
)

// Ways are both directions, up first.
var Ways = []Way{Up, Down}

// Type is the conversion of a type.
type Type struct {
	Older model.Name `json:"older"`
	Hub   model.Name `json:"hub"`
	// Kind is set on API objects and their lists.
	Kind bool `json:"kind,omitempty"`
	// Store is where objects of a kind keep values that the other version cannot represent.
	Store Store `json:"store,omitempty"`
	// Restores is set on kinds whose objects can have an annotation of the plan's Restores.
	Restores bool `json:"restores,omitempty"`
	// Differs says, in the plan that is printed, what in the JSON of a kind differs first; "" if objects
	// need no conversion.
	Differs string `json:"differs,omitempty"`
	// Fields are the operations of a struct, in the order of the hub's fields; then those of fields
	// that only the older version has.
	Fields []*Op `json:"fields,omitempty"`
	// Value converts what a type is declared as, unless it is a struct.
	Value *Value `json:"value,omitempty"`
	// Enum maps constants whose values differ.
	Enum *Enum `json:"enum,omitempty"`
	// Hooks are functions that are called after the conversion of a struct, oldest first.
	Hooks []*Hook `json:"hooks,omitempty"`
	// Skip means that the author disabled generated conversions of the type.
	Skip bool `json:"skip,omitempty"`
	// Idle means that kinds have the type, but that no conversion of theirs converts a value of it: it is only in fields that the
	// other version lacks.
	Idle bool `json:"idle,omitempty"`
	// UpByHand and DownByHand mean that the author has written the function.
	UpByHand   bool `json:"upByHand,omitempty"`
	DownByHand bool `json:"downByHand,omitempty"`
	// UpCasts and DownCasts mean that the type has the same memory layout in both versions, and that a cast
	// of a copy converts its values.
	UpCasts   bool `json:"upCasts,omitempty"`
	DownCasts bool `json:"downCasts,omitempty"`
	// Edges are what the author's functions lose.
	Edges Edges `json:"edges,omitzero"`
	// Span is the type in the hub.
	Span source.Span `json:"span"`
}

// ByHand reports whether the author has written the function of a direction.
func (t *Type) ByHand(way Way) bool {
	if way == Up {
		return t.UpByHand
	}
	return t.DownByHand
}

// Completes reports whether a conversion of Go objects is completed on their JSON: tracked values are stored and restored,
// and annotations of Restores are read.
func (t *Type) Completes() bool { return t.Store != Untracked || t.Restores }

// Casts reports whether casting a copy converts values of the type.
func (t *Type) Casts(way Way) bool {
	if way == Up {
		return t.UpCasts
	}
	return t.DownCasts
}

func (t *Type) setCasts(way Way, casts bool) {
	if way == Up {
		t.UpCasts = casts
	} else {
		t.DownCasts = casts
	}
}

// Ends returns the source and the destination of a conversion.
func (t *Type) Ends(way Way) (from, to model.Name) {
	if way == Up {
		return t.Older, t.Hub
	}
	return t.Hub, t.Older
}

// FillsZero reports whether the conversion of a zero value may give another value: a default, or the
// result of a function.
func (p *Plan) FillsZero(v *Value, way Way) bool {
	v = v.At(way)
	switch v.Kind {
	case Array:
		return p.FillsZero(v.Elem, way)
	case Wrap:
		return way == Up && !v.EmptyIsAbsent
	case Chain:
		return v.Elem != nil && p.FillsZero(v.Elem, way) || slices.ContainsFunc(v.Steps, func(s *Step) bool {
			return s.Func(way) != nil || s.Value != nil && p.FillsZero(s.Value, way)
		})
	case Pair:
		t := p.Of(v.Older.ID(), v.Hub.ID())
		return t != nil && p.fills.Ask(typeWay{t, way}, func() bool { return p.fillsZero(t, way) })
	}
	return false
}

// fillsZero is FillsZero for a type.
func (p *Plan) fillsZero(t *Type, way Way) bool {
	if t.Value != nil {
		return p.FillsZero(t.Value, way)
	}
	return t.ByHand(way) || slices.ContainsFunc(t.Hooks, func(h *Hook) bool { return h.Func(way) != nil }) ||
		slices.ContainsFunc(t.Fields, func(op *Op) bool {
			return op.Kind == Add && op.Fill != nil && way == Up || op.Kind == Keep && p.FillsZero(op.Value, way)
		})
}

// typeWay is a type with a direction.
type typeWay struct {
	typ *Type
	way Way
}

// OpKind says what happens to a field.
type OpKind string

const (
	// Keep means that both versions have the field, under any names.
	Keep OpKind = "keep"
	// Add means that only the hub has the field.
	Add OpKind = "add"
	// Drop means that only the older version has the field.
	Drop OpKind = "drop"
	// Move means that the versions have the field at different paths in the struct. A parent that the
	// destination lacks is created for a value, but not for an absent or a zero one. An optional
	// parent from which a value moves away is left out if it is empty then.
	Move OpKind = "move"
)

// Op is what happens to a field.
type Op struct {
	Kind OpKind `json:"op"`
	// Older and Hub are the field in each version; nil where a version lacks it.
	Older *Field `json:"older,omitempty"`
	Hub   *Field `json:"hub,omitempty"`
	// OlderPath and HubPath are the paths of a moved field in each version. They begin with
	// different fields.
	OlderPath []*Field `json:"olderPath,omitempty"`
	HubPath   []*Field `json:"hubPath,omitempty"`
	// Value converts the value of a kept or moved field.
	Value *Value `json:"value,omitempty"`
	// Type is the type of an added or dropped field.
	Type *model.Ref `json:"type,omitempty"`
	// Last converts the value of a dropped field to the type that it had last, in the hub's package, if
	// the value is tracked. Other versions that have the field show the value so.
	Last *Value `json:"last,omitempty"`
	// Fill is the value of an added field in objects of the older version; nil leaves it
	// unset.
	Fill *Fill `json:"fill,omitempty"`
	// Edges are what the operation loses, apart from its Value.
	Edges Edges `json:"edges,omitzero"`
	// Tracked are the versions under which values are tracked that do not come back.
	Tracked
	// Names are the names of the hub's field since versions after the older one, if it has
	// not the hub's name in all of them.
	Names []Name `json:"names,omitempty"`
	// Paths are like Names, for a moved field.
	Paths []KeyPath `json:"paths,omitempty"`
	// Parents are the versions under which parents of a moved field are tracked that do not come
	// back.
	Parents Tracked `json:"parents,omitzero"`
	// Ordinary are the versions under which a label or an annotation is tracked that is an ordinary one, in the version in
	// which the field has moved away, or not yet into it.
	Ordinary Tracked `json:"ordinary,omitzero"`
	// Moved is set on an Add and a Drop of a field that a Move of an enclosing struct converts.
	Moved bool `json:"moved,omitempty"`
	// Hooked is set on an Add and a Drop of a field that a Hook of the struct converts.
	Hooked bool `json:"hooked,omitempty"`
	// Items says how the items of a list are known; nil if by their index.
	Items *Items `json:"items,omitempty"`
	// Span is the field in the hub, or the dropped field.
	Span source.Span `json:"span"`

	// By is the Move of a Moved one.
	By *Op `json:"-"`
	// Above are the operations of the parents of a moved field, in both versions.
	Above []*Op `json:"-"`
	// move is what a Move is made of.
	move *model.Move
}

// KeyPath is the path of a moved field since a version.
type KeyPath struct {
	Since string   `json:"since"`
	Keys  []string `json:"keys"`
}

// Field names a field.
type Field struct {
	Go   string `json:"go"`
	JSON string `json:"json,omitempty"`
	// Inline means that the fields of the field's struct are the parent's in JSON.
	Inline bool `json:"inline,omitempty"`
	// OmitEmpty means that an empty value is left out of JSON. Of a pointer it means that one to a zero value is, too:
	// omitzero asks the method IsZero of quantities and times.
	OmitEmpty bool `json:"omitempty,omitempty"`
	// OmitZero means that a zero struct is left out of JSON.
	OmitZero bool `json:"omitzero,omitempty"`
	// Zero is the zero value of a tracked or moved field if Go writes it, or a value that is neither null nor empty in
	// JSON that Go leaves out, if the field is converted by transforms or moves. Of a parent of a moved field it is the
	// JSON of an empty one.
	Zero string `json:"zero,omitempty"`
	// OtherZero is the JSON of an empty parent of a moved field in the other version; "" if it lacks
	// the parent.
	OtherZero string `json:"otherZero,omitempty"`
	// Filled means that the conversion fills in fields of the parent of a moved field, so that it is not left out.
	Filled bool `json:"filled,omitempty"`
	// Optional means that Go leaves out the parent of a moved field if it is nil or zero.
	Optional bool `json:"optional,omitempty"`
	// Entry means that the field is a label or an annotation with the key JSON.
	Entry bool `json:"entry,omitempty"`
	// Accessor is the function of the hub's package that returns a pointer to the hub's field, if its package alone can
	// name it.
	Accessor string `json:"accessor,omitempty"`
	// Type is the type of a field on a path.
	Type *model.Ref `json:"type,omitempty"`
}

// ValueKind says how a value converts.
type ValueKind string

const (
	// Same means that the types of both versions are identical.
	Same ValueKind = "same"
	// Cast is a Go conversion that changes no value.
	Cast ValueKind = "cast"
	// Pair means that the types are those of a Type of the plan.
	Pair ValueKind = "pair"
	// Pointer converts what it points to.
	Pointer ValueKind = "pointer"
	// List converts its items.
	List ValueKind = "list"
	// Array converts its items.
	Array ValueKind = "array"
	// Map converts its keys and values.
	Map ValueKind = "map"
	// Wrap converts a single value to a list of one item, and a list to its first item. Elem
	// converts the item. An empty list is an absent value.
	Wrap ValueKind = "wrap"
	// Chain is a value whose type changed: Elem converts between the older version's type
	// and the first step's From, and each step changes the type.
	Chain ValueKind = "chain"
	// Impossible means that no conversion is known.
	Impossible ValueKind = "impossible"
)

// Value is the conversion of one value.
type Value struct {
	Kind  ValueKind  `json:"kind"`
	Older *model.Ref `json:"older"`
	Hub   *model.Ref `json:"hub"`
	Key   *Value     `json:"key,omitempty"`
	Elem  *Value     `json:"elem,omitempty"`
	Steps []*Step    `json:"steps,omitempty"`
	// EmptyIsAbsent means that the older value of a Wrap or of transforms is absent if it is empty, and
	// HubEmptyIsAbsent the same of the hub's value.
	EmptyIsAbsent    bool `json:"emptyIsAbsent,omitempty"`
	HubEmptyIsAbsent bool `json:"hubEmptyIsAbsent,omitempty"`
	// Since is the version that made the value of a Wrap a list.
	Since string `json:"since,omitempty"`
	// Edges are what a Wrap loses.
	Edges Edges `json:"edges,omitzero"`
	// Direct converts a chain at once, in directions without functions; nil where Go has
	// no such conversion.
	Direct *Value `json:"direct,omitempty"`
}

// At returns what converts the value in a direction: a chain without functions is
// converted at once where that is possible.
func (v *Value) At(way Way) *Value {
	if v.Direct == nil || slices.ContainsFunc(v.Steps, func(s *Step) bool { return s.Func(way) != nil }) {
		return v
	}
	return v.Direct
}

// Calls reports whether functions of the author convert the value in a direction.
func (v *Value) Calls(way Way) bool {
	return slices.ContainsFunc(v.Steps, func(s *Step) bool { f := s.Func(way); return f != nil && f.Transform == nil })
}

// Transforms reports whether a chain has transforms.
func (v *Value) Transforms() bool {
	return slices.ContainsFunc(v.Steps, func(s *Step) bool { return s.Up != nil && s.Up.Transform != nil })
}

// Transformed reports whether a chain has transforms and no functions of the author.
func (v *Value) Transformed() bool {
	found := false
	for _, s := range v.Steps {
		switch {
		case s.Up != nil && s.Up.Transform != nil:
			found = true
		case s.Up != nil || s.Down != nil:
			return false
		}
	}
	return found
}

// wrap returns the conversion of a single value to a list without functions; nil for others.
func (v *Value) wrap() *Value {
	if up := v.At(Up); up.Kind == Wrap && v.At(Down) == up {
		return up
	}
	return nil
}

// AbsentIfEmpty reports whether a single value that became a list is absent if it is empty.
func (v *Value) AbsentIfEmpty() bool {
	w := v.wrap()
	return w != nil && w.EmptyIsAbsent
}

// Wraps reports whether the older value is a single one of the hub's list.
func (v *Value) Wraps() bool {
	return v.Kind == Wrap || v.Kind == Chain && slices.ContainsFunc(v.Steps, func(s *Step) bool { return s.Value.Kind == Wrap })
}

// Ends returns the source and the destination type of a conversion.
func (v *Value) Ends(way Way) (from, to *model.Ref) {
	if way == Up {
		return v.Older, v.Hub
	}
	return v.Hub, v.Older
}

// Step is one change of a value's type, between types of the hub's package.
type Step struct {
	// Since is the version that changed the type.
	Since string `json:"since"`
	// Value converts between the types where there is no function. Its older end is the
	// type before the change.
	Value *Value `json:"value"`
	Up    *Func  `json:"up,omitempty"`
	Down  *Func  `json:"down,omitempty"`
	// Completes means that the result of Up is completed: it lacks what versions after Since
	// added to its types.
	Completes bool `json:"completes,omitempty"`
	// Edges are what the functions lose.
	Edges Edges `json:"edges,omitzero"`
}

// Func returns the author's function for a direction, or nil.
func (s *Step) Func(way Way) *Func {
	if way == Up {
		return s.Up
	}
	return s.Down
}

// Func is a function of the hub's package, or a transform.
type Func struct {
	Name string `json:"name"`
	// Transform converts in place of a function.
	Transform *jsonconvert.Transform `json:"transform,omitempty"`
	// Fails means that the function also returns an error.
	Fails bool `json:"fails,omitempty"`
}

// Fill is the value of a field that objects of the older version lack. The author gives it
// as of the version that added the field; later versions may have changed its type, or what
// its type holds.
type Fill struct {
	// Since is the version that added the field.
	Since string `json:"since"`
	// Type is the type of the value, before Value or Steps convert it.
	Type *model.Ref `json:"type"`
	// JSON is the value, or Func returns it.
	JSON string `json:"json,omitempty"`
	Func *Func  `json:"func,omitempty"`
	// Value converts JSON from the types of the version Since, if functions are needed for it;
	// otherwise JSON is the value in the hub.
	Value *Value `json:"value,omitempty"`
	// Steps are the changes of the type of Func's result since.
	Steps []*Step `json:"steps,omitempty"`
	// Completes means that the result of Func is completed, like that of a Step.
	Completes bool `json:"completes,omitempty"`
	// Refused is set if JSON does not convert to the hub.
	Refused *Refusal `json:"refused,omitempty"`
}

// Refusal is a default, or a value in it, that a transform of a later version refuses.
type Refusal struct {
	// Since and Transform are the version and the name of the transform, and Reason is its error.
	Since     string `json:"since"`
	Transform string `json:"transform"`
	Reason    string `json:"reason"`
	// Span is the value in the marker.
	Span source.Span `json:"-"`
	// start and end are the value's position in the default.
	start, end int
}

func (r *Refusal) Error() string { return r.Reason }

// Enum maps the values of an enum that differ between the versions. All other values are
// kept. Apart from cases that lose a value, different values stay different: a value that is
// no constant, but equals the other version's name of one, is exchanged for a value that is
// a constant of neither.
type Enum struct {
	Up   []Case `json:"up,omitempty"`
	Down []Case `json:"down,omitempty"`
	// Edges are what values without a case lose.
	Edges Edges `json:"edges,omitzero"`
	Tracked
}

// Cases returns the cases of a direction. Those with the same destination are adjacent.
func (e *Enum) Cases(way Way) []Case {
	switch {
	case e == nil:
		return nil
	case way == Up:
		return e.Up
	}
	return e.Down
}

// Case maps one value.
type Case struct {
	From Const `json:"from"`
	To   Const `json:"to"`
	// Edge is what the case loses; nil for nothing.
	Edge *Edge `json:"edge,omitempty"`
}

// Const is a value of an enum.
type Const struct {
	// Go is the name of its constant, "" if it has none.
	Go    string `json:"go,omitempty"`
	Value string `json:"value"`
}

// UnmarshalJSON reads a plan that was printed.
func (p *Plan) UnmarshalJSON(text []byte) error {
	type plain Plan
	if err := json.Unmarshal(text, (*plain)(p)); err != nil {
		return err
	}
	p.index()
	return nil
}

func (p *Plan) index() {
	p.byOlder = map[model.Name]*Type{}
	for _, t := range p.Types {
		p.byOlder[t.Older] = t
	}
}

// Of returns the plan's type with these ends, or nil.
func (p *Plan) Of(older, hub model.Name) *Type {
	if t := p.byOlder[older]; t != nil && t.Hub == hub {
		return t
	}
	return nil
}

// possible reports whether a conversion is known for all that a value holds.
func (v *Value) possible() bool {
	return v == nil || v.Kind != Impossible && v.Key.possible() && v.Elem.possible()
}

// Shape returns a value of one type as the conversion of what the type holds.
func (v *Value) Shape(m *model.Model) *Value {
	shapes := map[model.RefKind]ValueKind{
		model.KindPointer: Pointer, model.KindSlice: List, model.KindArray: Array, model.KindMap: Map,
	}
	u := m.Underlying(v.Hub)
	shape := &Value{Kind: shapes[u.Kind], Older: v.Older, Hub: v.Hub}
	if shape.Kind == "" {
		shape.Kind = Impossible
		return shape
	}
	shape.Elem = &Value{Kind: Same, Older: u.Elem, Hub: u.Elem}
	if u.Key != nil {
		shape.Key = &Value{Kind: Same, Older: u.Key, Hub: u.Key}
	}
	return shape
}

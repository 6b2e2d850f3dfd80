package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// program converts the JSON of a type in one direction; nil copies it.
type program struct {
	// fields are the fields that differ, by their keys in the source.
	fields map[string]*field
	fills  []fill
	// kind means that the objects may have an apiVersion.
	kind bool
	// typ is the type in the table, and items its fields.
	typ   *Type
	items map[*Field]*field
	// store is where objects keep tracked values, and annotation the key of the annotation that has them.
	store      Store
	annotation string
	// filled are the fields that are lost if they are absent, because the other direction
	// fills them in.
	filled []*field
	// unset are the fields that are lost if they are absent, because Go writes zero values in the destination.
	unset []*field
	// blurred are the fields of which Go writes a zero value in the destination that does not come back as a zero value.
	blurred []*field
	// spreads fill in members of the object.
	spreads []*fill
	// moves are the fields that the destination has at other paths.
	moves []*move
	// hooks are called after the conversion of an object, and back is the program of the other
	// direction.
	hooks []*hook
	back  *program
	// ofFunctions is the version under which what functions lose is tracked, the one next to the source's, and ofHooks the one
	// with splits; "" if it is not tracked.
	ofFunctions, ofHooks string
	// untracked is back without tracked values, and unhooked also without the object's hooks.
	untracked, unhooked *value
	// olderFits and hubFits refuse objects that the type of a version cannot have, and return what Go writes for others; nil
	// refuses none.
	olderFits, hubFits Func
	// named are the fields by versions and their names in these.
	named map[string]map[string]target
	// root is an object of the type. A function in it converts the objects in place of all others.
	root value
}

// field is what happens to a key.
type field struct {
	// from is the key in the source.
	from string
	// key is the new key, with quotes; nil leaves it.
	key []byte
	// drop leaves the field out.
	drop bool
	// omits means that Go leaves out an empty value in the destination, and absent that it does in the
	// source.
	omits, absent bool
	// fill is the fill that the key makes unnecessary, plus 1.
	fill  int
	value *value

	// moved are the paths of values in a dropped field that are moved to other paths.
	moved []exit
	// parent means that values move into the field or out of it, and empty is what Go writes for
	// an object without them. inner are the paths of those that move out of it, and into of those that move into it.
	parent      bool
	empty       []byte
	inner, into []exit
	// emptied is what Go writes in the destination for an object without them.
	emptied []byte
	// creates means that the field is created for tracked labels and annotations in it.
	creates bool

	// def is the field in the table.
	def *Field
	// label is the version under which the value of a dropped field is tracked, or "".
	label string
	// zero is a value that equals an absent one, or nil.
	zero []byte
	// written is the zero value in the destination if a transform converts the value, or a list becomes a single value, and Go
	// writes one that is not null: null becomes it, and an absent value if Go writes the object. omitted is one that Go leaves out, and blank one that
	// it leaves out in the source.
	written, omitted, blank []byte
	// null means that null stays null, also if the destination leaves out a zero value.
	null bool
	// unset is the index plus 1 of the field in unset of the program: if it is absent, another value comes back.
	unset int
	// back is what the other direction fills in for the dropped field; nil for nothing. The
	// program has the field at the index nth of filled.
	back *fill
	nth  int
	// added means that only the destination has the field, and that its value is tracked
	// there. fits refuses values that the field cannot have; nil refuses none.
	added bool
	fits  Func
	// last converts objects with the value of a field that the hub lacks to the type that it had last, in the
	// program's direction.
	last *value
}

// fill is a field that only the destination has, or several.
type fill struct {
	// key is `"key":`, or empty if the members of the value are added.
	key, value []byte
	fn         Func
	name       string
	// omits means that Go leaves out the result of fn if it is empty, or equals zero.
	omits bool
	zero  []byte
}

// value converts one value; nil copies it.
type value struct {
	object *program
	each   *value
	enum   map[string]constant
	fn     Func
	// wrap puts a value, converted by each, into a list; unwrap takes the first item of a list.
	wrap, unwrap bool
	// zero is the single value in place of a list without items, if Go writes one and the list is
	// tracked; nil if not.
	zero []byte

	// label is the version under which values are tracked that do not come back, or "".
	label string
	// restored means that values are tracked. until is the last version with the older version's type, and since the first with
	// the hub's, or "".
	restored     bool
	until, since string
	// back is the other direction; nil copies.
	back *value
	// fits refuses tracked values that the destination's type cannot have, and fitsSource those of the source's; nil refuses
	// none. They return what Go writes for others.
	fits, fitsSource Func
	// def has the keys of the items of a list, and elem their type.
	def  *Value
	elem *Type
}

// constant is a value of an enum, as it is and as a JSON string.
type constant struct{ plain, quoted []byte }

// compiler makes the programs of one direction of a table.
type compiler struct {
	table    *Table
	up       bool
	funcs    map[string]Func
	programs []*program
	changes  []bool
	// back is the compiler of the other direction.
	back *compiler
}

// compile makes the programs of both directions.
func compile(t *Table, funcs map[string]Func) (up, down []*program, err error) {
	upward, downward := newCompiler(t, true, funcs), newCompiler(t, false, funcs)
	upward.back, downward.back = downward, upward
	for _, c := range []*compiler{upward, downward} {
		for i := range t.Types {
			err = errors.Join(err, c.program(c.programs[i], &t.Types[i]))
		}
	}
	for _, c := range []*compiler{upward, downward} {
		for i := range t.Types {
			err = errors.Join(err, c.moves(c.programs[i], &t.Types[i]), c.hooks(c.programs[i], &t.Types[i]))
		}
	}
	for _, c := range []*compiler{upward, downward} {
		for _, p := range c.programs {
			p.named = map[string]map[string]target{}
			for _, version := range t.Versions {
				p.named[version] = t.named(p, version, c.up)
				for _, m := range p.moves {
					m.keys[version] = t.keys(m.def, version)
				}
			}
		}
	}
	for _, c := range []*compiler{upward, downward} {
		for _, p := range c.programs {
			if p.back != nil {
				untracked := *p.back
				untracked.store = Untracked
				unhooked := untracked
				unhooked.hooks = nil
				p.untracked, p.unhooked = &value{object: &untracked}, &value{object: &unhooked}
			}
		}
	}
	return upward.programs, downward.programs, err
}

func newCompiler(t *Table, up bool, funcs map[string]Func) *compiler {
	c := &compiler{table: t, up: up, funcs: funcs, changes: make([]bool, len(t.Types))}
	for range t.Types {
		c.programs = append(c.programs, &program{fields: map[string]*field{}, items: map[*Field]*field{}})
	}
	// A type changes if one of its fields does, which may be of the type itself.
	for again := true; again; {
		again = false
		for i := range t.Types {
			if !c.changes[i] && c.typeChanges(&t.Types[i]) {
				c.changes[i], again = true, true
			}
		}
	}
	return c
}

// keys returns the keys of a field in the source and in the destination.
func (c *compiler) keys(f *Field) (from, to string) { return f.keys(c.up) }

func (c *compiler) typeChanges(t *Type) bool {
	if t.Kind != "" || c.function(t.Up, t.Down) != "" || len(t.Moves)+len(t.Hooks) > 0 {
		return true
	}
	for i := range t.Fields {
		from, to := c.keys(&t.Fields[i])
		if from != to || len(t.Fields[i].Names) > 0 || c.valueChanges(&t.Fields[i].Value) {
			return true
		}
	}
	return false
}

func (c *compiler) valueChanges(v *Value) bool {
	switch {
	case v == nil:
		return false
	case v.Each != nil:
		return c.valueChanges(v.Each)
	case v.Wrap != nil:
		return true
	case v.Type > 0:
		return v.Type <= len(c.changes) && c.changes[v.Type-1]
	case v.Enum != nil:
		return len(c.enum(v.Enum)) > 0 || v.Since != "" || v.Until != ""
	}
	return v.Transformed() || c.function(v.Up, v.Down) != "" || v.Since != "" || v.Until != ""
}

// label returns the version under which values of the source are tracked.
func (c *compiler) label(since, until string) string {
	if c.up {
		return until
	}
	return since
}

// function returns the name of a function for the direction.
func (c *compiler) function(up, down string) string {
	if c.up {
		return up
	}
	return down
}

func (c *compiler) enum(e *Enum) map[string]string {
	if c.up {
		return e.Up
	}
	return e.Down
}

func (c *compiler) program(p *program, t *Type) error {
	p.kind, p.typ, p.store, p.root = t.Kind != "", t, t.Store, value{object: p}
	p.annotation = TrackingAnnotation(c.table.Group)
	p.olderFits, p.hubFits = c.fits(t.OlderFits, t.OlderCheck), c.fits(t.HubFits, t.HubCheck)
	if name := c.function(t.Up, t.Down); name != "" {
		if p.root.fn = c.funcs[name]; p.root.fn == nil {
			return c.noFunc(name)
		}
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		from, to := c.keys(f)
		if from == "" { // or spread
			if err := c.fill(p, t, f, to); err != nil {
				return err
			}
			continue
		}
		v, err := c.value(&f.Value)
		if err != nil {
			return err
		}
		out := &field{from: from, value: v, drop: to == "", omits: c.up && f.HubOmits || !c.up && f.OlderOmits, def: f, zero: f.HubZero}
		if f.Value.Transformed() || v != nil && v.fn == nil && (v.object != nil || v.wrap || f.Value.Up+f.Value.Down != "") {
			out.absent = c.up && f.OlderOmits || !c.up && f.HubOmits
		}
		other := f.OlderZero
		if c.up {
			out.zero, other = f.OlderZero, f.HubZero
		}
		if f.Value.Transformed() {
			c.zeros(p, out, present(other))
		}
		if v != nil && v.unwrap && v.label != "" && present(f.OlderZero) != nil {
			v.zero, out.written = f.OlderZero, f.OlderZero
			p.blurred = append(p.blurred, out)
		}
		if to != from && to != "" {
			out.key = []byte(quote(to))
		}
		if out.drop && f.FillFunc != "" && f.HubOmits {
			out.zero = nil // the function's result is what is left out
		}
		if out.drop {
			if out.last, err = c.last(f); err != nil {
				return err
			}
			out.label = c.label(f.Since, f.Until)
			if back := c.back.filling(f, from); !c.up && (back.value != nil || back.fn != nil) {
				out.back, out.nth = back, len(p.filled)
				p.filled = append(p.filled, out)
			}
		}
		out.fits = c.fits(f.Fits, f.Check)
		p.items[f] = out
		if out.key != nil || out.drop || v != nil || len(f.Names) > 0 {
			p.fields[from] = out
		}
	}
	// A renamed field takes precedence over an unknown one with its new key.
	for i := range t.Fields {
		from, to := c.keys(&t.Fields[i])
		if from != to && to != "" && from != "" && p.fields[to] == nil && !c.hasKey(t, to) {
			p.fields[to] = &field{drop: true}
		}
	}
	return nil
}

// zeros completes a field that transforms convert with what it is in the destination if it is unset.
func (c *compiler) zeros(p *program, f *field, zero []byte) {
	v := f.value
	if f.absent {
		f.blank, f.zero = f.zero, nil
	}
	if f.omits {
		f.omitted, f.null = zero, zero == nil || c.up && f.def.HubNull || !c.up && f.def.OlderNull
		return
	}
	f.written = zero
	if zero == nil || v.label == "" {
		return
	}
	back, err := call(v.back.fn, zero)
	switch {
	case err != nil, f.zero != nil && same(back, f.zero), f.absent && (isEmpty(back) || f.blank != nil && same(back, f.blank)):
		return
	case f.zero == nil:
		p.unset = append(p.unset, f)
		f.unset = len(p.unset)
	}
	p.blurred = append(p.blurred, f)
}

// hasKey reports whether a key is a field of the source's version.
func (c *compiler) hasKey(t *Type, key string) bool {
	for i := range t.Fields {
		if from, _ := c.keys(&t.Fields[i]); from == key {
			return true
		}
	}
	return false
}

func (c *compiler) fill(p *program, t *Type, f *Field, key string) error {
	out := c.filling(f, key)
	switch {
	case f.Spread && !c.up:
		p.spreads = append(p.spreads, out)
		return nil
	case c.label(f.Until, f.Since) != "" || f.Hooked:
		last, err := c.last(f)
		if err != nil {
			return err
		}
		p.items[f] = &field{def: f, added: true, fits: c.fits(f.Fits, f.Check), last: last}
	}
	switch {
	case !c.up || f.Fill == nil && f.FillFunc == "":
		return nil // unset in the destination
	case f.FillFunc != "" && out.fn == nil:
		return c.noFunc(f.FillFunc)
	case f.FillFunc == "" && !json.Valid(f.Fill):
		return fmt.Errorf("the value of %s is not JSON: %s", key, f.Fill)
	}
	p.fills = append(p.fills, *out)
	if key != "" && !c.hasKey(t, key) {
		p.fields[key] = &field{fill: len(p.fills)} // unknown to the source's version
	}
	return nil
}

// fits returns what refuses values that a type cannot have; nil for nothing.
func (c *compiler) fits(name string, check int) Func {
	fits, checks := c.funcs[name], c.table.checks(check)
	if fits == nil || checks == nil {
		if fits != nil {
			return fits
		}
		return checks
	}
	return func(value []byte) ([]byte, error) {
		if _, err := fits(value); err != nil {
			return nil, err
		}
		return checks(value)
	}
}

// filling returns what fills in a field.
func (c *compiler) filling(f *Field, key string) *fill {
	out := &fill{value: f.Fill, name: key, fn: c.funcs[f.FillFunc]}
	if f.FillFunc != "" && f.HubOmits {
		out.omits, out.zero = true, f.HubZero
	}
	if !f.Spread {
		out.key = []byte(quote(key) + ":")
	}
	return out
}

func (c *compiler) value(v *Value) (*value, error) {
	out, err := c.oneWay(v)
	if out != nil {
		out.label, out.restored, out.until, out.since = c.label(v.Since, v.Until), v.Since != "" || v.Until != "", v.Until, v.Since
		// The error of the other direction is reported with its own program.
		out.back, _ = c.back.oneWay(v)
		if out.fits, out.fitsSource = c.fits(v.OlderFits, v.OlderCheck), c.fits(v.HubFits, v.HubCheck); c.up {
			out.fits, out.fitsSource = out.fitsSource, out.fits
		}
	}
	return out, err
}

// oneWay returns how a value converts, without the way back.
func (c *compiler) oneWay(v *Value) (*value, error) {
	if !c.valueChanges(v) {
		return nil, nil
	}
	switch {
	case v.Each != nil:
		each, err := c.value(v.Each)
		out := &value{each: each, def: v}
		if v.Each.Type > 0 {
			out.elem = &c.table.Types[v.Each.Type-1]
		}
		return out, err
	case v.Wrap != nil:
		item, err := c.value(v.Wrap)
		out := &value{each: item, wrap: c.up, unwrap: !c.up, def: v}
		if v.Wrap.Type > 0 {
			out.elem = &c.table.Types[v.Wrap.Type-1]
		}
		return out, err
	case v.Type > 0:
		t := &c.table.Types[v.Type-1]
		out := &value{object: c.programs[v.Type-1]}
		if name := c.function(t.Up, t.Down); name != "" {
			if out.fn = c.funcs[name]; out.fn == nil {
				return nil, c.noFunc(name)
			}
		}
		return out, nil
	case v.Enum != nil:
		enum := map[string]constant{}
		for from, to := range c.enum(v.Enum) {
			enum[from] = constant{[]byte(to), []byte(quote(to))}
		}
		return &value{enum: enum}, nil
	}
	switch {
	case len(v.Transforms) > 0:
		return &value{fn: transforms(v.Transforms, c.up)}, nil
	case len(v.Chain) > 0:
		fn, err := c.chain(v.Chain)
		return &value{fn: fn}, err
	}
	name := c.function(v.Up, v.Down)
	fn := c.funcs[name]
	if fn == nil && name != "" {
		return nil, c.noFunc(name)
	}
	return &value{fn: fn}, nil
}

func (c *compiler) noFunc(name string) error {
	return fmt.Errorf("conversion between %s and %s needs the function %s", c.table.Older, c.table.Hub, name)
}

// quote returns a string as JSON.
func quote(s string) string {
	if isPlainText(s) {
		return `"` + s + `"`
	}
	text, err := json.Marshal(s)
	if err != nil {
		return strconv.Quote(s)
	}
	return string(text)
}

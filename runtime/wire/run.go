package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// run converts one object. The source is copied up to each change at once.
type run struct {
	src, out []byte
	// copied is the index up to which the source is in the output, or left out of it.
	copied   int
	from, to string
	// memory has the nodes of the conversion, nil for the heap.
	memory *memory
	// scratch has the path of a tracked value while it is made.
	scratch []byte
	// path leads to the value that failed, innermost first.
	path []string
	tracker
}

// newRun returns the run of a value by itself.
func newRun(m *memory, t *Table, up bool, text []byte) run {
	return run{memory: m, src: text, out: m.room(len(text) + 16), tracker: tracker{table: t, up: up}}
}

// node returns the node of a valid text, which is used in the conversion only.
func (r *run) node(text []byte, at int) *node { return r.memory.node(text, at) }

// copyTo copies the source up to an index.
func (r *run) copyTo(i int) {
	if i > r.copied {
		r.out = append(r.out, r.src[r.copied:i]...)
	}
	r.copied = i
}

// replace puts a text in place of a part of the source.
func (r *run) replace(from, to int, text []byte) {
	r.copyTo(from)
	r.out = append(r.out, text...)
	r.copied = to
}

// below notes where an error comes from.
func (r *run) below(element string, err error) error {
	if err != nil {
		r.path = append(r.path, element)
	}
	return err
}

// located adds the path to an error.
func (r *run) located(err error) error {
	e := &Error{}
	if !errors.As(err, &e) {
		e = &Error{Err: err}
	}
	var path strings.Builder
	path.WriteByte('$')
	for _, element := range slices.Backward(r.path) {
		path.WriteString(element)
	}
	e.Path = path.String() + strings.TrimPrefix(e.Path, "$") // of a part of the value
	return e
}

// value converts the value that begins at i, and returns the index after it.
func (r *run) value(v *value, i, depth int) (int, error) {
	if v == nil {
		return skip(r.src, i, depth)
	}
	if depth > maxDepth {
		return 0, errDepth
	}
	if i >= len(r.src) {
		return 0, errEnd
	}
	switch c := r.src[i]; {
	case c == 'n':
		end, err := literal(r.src, i, "null")
		return end, r.noItem(v, i, end, err)
	case v.wrap:
		return r.wrap(v, i, depth)
	case v.unwrap:
		return r.unwrap(v, i, depth)
	case v.fn == nil && v.object != nil && c == '{':
		if v.object.store != Untracked {
			return r.tracked(v.object, i, depth)
		}
		return r.object(v.object, i, depth)
	case v.each != nil && c == '[':
		return r.list(v, i, depth)
	case v.each != nil && c == '{':
		return r.mapping(v.each, i, depth)
	}
	end, err := skip(r.src, i, depth)
	if err != nil {
		return 0, err
	}
	switch {
	case v.fn != nil:
		converted, err := call(v.fn, r.src[i:end:end])
		if err != nil {
			return end, r.refuse(v, i, err)
		}
		r.replace(i, end, converted)
		r.compare(v, nil, i, end, converted)
	default: // an enum, or a value that only the other direction changes
		converted, ok := v.constant(r.src[i:end:end])
		if ok {
			r.replace(i, end, converted)
		}
		r.compare(v, nil, i, end, converted)
	}
	return end, nil
}

// constant returns what replaces a value of an enum, or the value.
func (v *value) constant(text []byte) (converted []byte, ok bool) {
	if v == nil || v.enum == nil {
		return text, false
	}
	if text[0] != '"' {
		if to, ok := v.enum[string(text)]; ok {
			return to.plain, true
		}
		return text, false
	}
	to, ok := v.enum[string(text[1:len(text)-1])]
	if bytes.IndexByte(text, '\\') >= 0 {
		s, err := unquote(text)
		if to, ok = v.enum[s]; err != nil {
			ok = false
		}
	}
	if !ok {
		return text, false
	}
	return to.quoted, true
}

// call calls a function. A panic is an error.
func call(fn Func, value []byte) (converted []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Error{Reason: Failed, Err: fmt.Errorf("the conversion function panicked: %v", p)}
		}
	}()
	if converted, err = fn(value); err != nil {
		if e := (*Error)(nil); errors.As(err, &e) {
			return nil, err
		}
		return nil, &Error{Reason: Failed, Err: err}
	}
	if err := valid(converted); err != nil {
		return nil, &Error{Reason: Failed, Err: fmt.Errorf("the conversion function returns %q: %w", converted, err)}
	}
	return converted, nil
}

func (r *run) list(v *value, i, depth int) (int, error) {
	o, before := open(i), len(r.lost)
	for n := 0; ; n++ {
		more, err := o.item(r.src)
		if err != nil || !more {
			if err == nil && len(r.lost) > before {
				r.inItems(v, r.src[i:o.at], before)
			}
			return o.at, err
		}
		lost := len(r.lost)
		if o.at, err = r.value(v.each, o.at, depth+1); err != nil {
			return 0, r.below("["+strconv.Itoa(n)+"]", err)
		}
		r.in(lost, element{list: true, index: n})
	}
}

// wrap puts the value that begins at i into a list.
func (r *run) wrap(v *value, i, depth int) (int, error) {
	r.copyTo(i)
	r.out = append(r.out, '[')
	lost := len(r.lost)
	end, err := r.value(v.each, i, depth+1)
	if err != nil {
		return 0, err
	}
	r.copyTo(end)
	r.out = append(r.out, ']')
	r.inItem(v, lost)
	return end, nil
}

// noItem puts the zero value that Go writes in place of a list without items, if that is tracked.
func (r *run) noItem(v *value, i, end int, err error) error {
	if err == nil && v.zero != nil && r.recording {
		r.replace(i, end, v.zero)
		r.lost = append(r.lost, loss{label: v.label, at: i, value: r.src[i:end:end], was: v.zero, late: true})
	}
	return err
}

// unwrap replaces the list that begins at i by its first item. Values that are no list are
// copied. The enclosing object leaves out empty lists, unless Go writes a zero value.
func (r *run) unwrap(v *value, i, depth int) (int, error) {
	o, lost := open(i), len(r.lost)
	if r.src[i] != '[' {
		return skip(r.src, i, depth)
	}
	more, err := o.item(r.src)
	if err != nil || !more {
		return o.at, r.noItem(v, i, o.at, err)
	}
	r.copyTo(i)
	start, isNull := len(r.out), r.src[o.at] == 'n'
	r.copied = o.at
	first, err := r.value(v.each, o.at, depth+1)
	if err != nil {
		return 0, r.below("[0]", err)
	}
	r.copyTo(first)
	end, err := skip(r.src, i, depth)
	if err != nil {
		return 0, err
	}
	r.copied = end
	if o.at = first; !r.recording {
		return end, nil
	}
	if more, _ = o.item(r.src); more || isNull || r.guards[i] {
		r.lost = r.lost[:lost]
		r.compare(v, nil, i, end, r.memory.copy(r.out[start:]))
		return end, nil
	}
	if r.inItem(v, lost); r.omitted == maybe && v.label != "" {
		r.lost = append(r.lost, loss{label: v.label, at: i, value: r.src[i:end:end], was: r.memory.copy(r.out[start:]), filledIn: true})
	}
	return end, nil
}

func (r *run) mapping(each *value, i, depth int) (int, error) {
	var m member
	for o := open(i); ; o.at = m.end {
		more, err := o.member(r.src, &m)
		if err != nil || !more {
			return o.at, err
		}
		lost := len(r.lost)
		if m.end, err = r.value(each, m.value, depth+1); err != nil {
			return 0, r.below("["+string(r.src[m.key:m.keyEnd])+"]", err)
		}
		if len(r.lost) > lost {
			r.in(lost, element{key: true, name: text(r.src[m.key:m.keyEnd])})
		}
	}
}

// object converts the object that begins at i.
func (r *run) object(p *program, i, depth int) (int, error) {
	if len(p.moves)+len(p.hooks) > 0 {
		return r.reshaped(p, i, depth)
	}
	return r.members(p, i, depth)
}

// members converts the members of the object that begins at i, without those that move and without hooks.
func (r *run) members(p *program, i, depth int) (int, error) {
	var m member
	var filled []int
	kept := i + 1    // the end of what is in the output
	members := 0     // members in the output
	dropped := false // whether the source after kept is left out
	seen, set := uint64(0), uint64(0)
	for o := open(i); ; o.at = m.end {
		more, err := o.member(r.src, &m)
		if err != nil {
			return 0, err
		}
		if !more {
			err = r.fill(p, kept, members, filled)
			if err == nil && r.recording {
				if err = r.absent(p, i, o.at, seen); err == nil && r.encoded != nil {
					r.unset(p, i, o.at, set)
				}
			}
			if dropped {
				r.copied = o.at - 1
			}
			return o.at, err
		}
		f, lost := p.field(r.src, &m), len(r.lost)
		var converted []byte
		if p.store == Status {
			switch made, wasNull := r.onlyTracks(&m); {
			case wasNull:
				f, converted = copies, []byte("null")
				m.end, _ = skip(r.src, m.value, depth+1)
			case made:
				f = leavesOut
			}
		}
		drop, err := r.vanishes(f, &m, depth)
		if err != nil {
			return 0, r.below(r.element(&m), err)
		}
		if drop || f.value != nil && f.value.fn != nil {
			if m.end, err = skip(r.src, m.value, depth+1); err != nil {
				return 0, r.below(r.element(&m), err)
			}
			drop = drop || f.absent && (isEmpty(r.src[m.value:m.end]) || f.blank != nil && same(r.src[m.value:m.end], f.blank))
			if !drop && r.src[m.value] == 'n' {
				converted, drop = f.written, f.omitted != nil && !f.null
			} else if !drop {
				if converted, err = call(f.value.fn, r.src[m.value:m.end:m.end]); err != nil {
					if err = r.refuse(f.value, m.value, err); err != nil {
						return 0, r.below(r.element(&m), err)
					}
					converted = r.src[m.value:m.end:m.end] // until a tracked value replaces it
				} else {
					drop = isNull(converted) || f.omits && (isEmpty(converted) || f.omitted != nil && same(converted, f.omitted))
				}
			}
			if f.unset > 0 {
				set |= 1 << (f.unset - 1)
			}
			if r.recording {
				if f.drop {
					if f.back != nil {
						seen |= 1 << f.nth
					}
					err = r.drop(p, f, m.value, m.end)
				} else if len(r.lost) == lost && (converted != nil || drop) {
					shown := converted
					if drop {
						shown = nil
					}
					r.compare(f.value, f.zero, m.value, m.end, shown)
				}
				if err != nil {
					return 0, r.below(r.element(&m), err)
				}
				r.inMember(lost, f, &m)
			}
		}
		if drop {
			if p.store != Untracked {
				r.keeps(p.store, &m)
			}
			r.copyTo(kept)
			dropped = true
			continue
		}
		if dropped {
			// The comma in the source may belong to a member that is left out.
			if r.copied = m.key; members > 0 {
				r.out = append(r.out, ',')
			}
			dropped = false
		}
		if f.key != nil {
			r.replace(m.key, m.keyEnd, f.key)
		}
		if f.fill > 0 {
			filled = append(filled, f.fill-1)
		}
		outer, omits := r.omitted, r.encoded != nil && f.omits && f.value != nil && f.value.object != nil
		if omits {
			r.omitted = maybe
		}
		if converted != nil {
			r.replace(m.value, m.end, converted)
		} else if m.end, err = r.value(f.value, m.value, depth+1); err != nil {
			return 0, r.below(r.element(&m), err)
		} else {
			r.inMember(lost, f, &m)
		}
		if r.omitted == maybe && (f.value == nil || f.value.object == nil) {
			value := converted
			if value == nil {
				value = r.src[m.value:m.end:m.end]
			}
			if !mayBeBlank(value) {
				r.omitted = never
			}
		}
		if omits {
			r.settle(lost, outer)
		}
		if p.kind && string(r.src[m.key:m.keyEnd]) == `"apiVersion"` && r.src[m.value] == '"' && string(r.src[m.value+1:m.end-1]) == r.from {
			r.copyTo(m.value + 1)
			r.out = append(r.out, r.to...)
			r.copied = m.end - 1
		}
		if p.store != Untracked {
			r.keeps(p.store, &m)
		}
		kept = m.end
		members++
	}
}

// vanishes reports whether the destination lacks a field, or has nothing for an empty value.
func (r *run) vanishes(f *field, m *member, depth int) (bool, error) {
	v := f.value
	switch {
	case f.drop || v == nil:
		return f.drop, nil
	case v.unwrap && isEmptyList(r.src, m.value):
		return v.zero == nil || !r.recording, nil
	case v.unwrap && f.omits && r.src[m.value] == '[':
		o := open(m.value)
		if _, err := o.item(r.src); err != nil {
			return false, err
		}
		end, err := skip(r.src, o.at, depth+2)
		if err != nil {
			return false, err
		}
		item, err := r.alone(v.each, r.src[o.at:end:end])
		return err == nil && isEmpty(item), nil // the error is that of the conversion, too
	case f.absent && v.object == nil && v.fn == nil:
		end, err := skip(r.src, m.value, depth+1)
		return err == nil && isEmpty(r.src[m.value:end]), err
	}
	return false, nil
}

// copies is a field that does not differ.
var copies = &field{}

// leavesOut is a field that the destination does not get.
var leavesOut = &field{drop: true}

// field returns what happens to a member.
func (p *program) field(src []byte, m *member) *field {
	var f *field
	if m.plain {
		f = p.fields[string(src[m.key+1:m.keyEnd-1])]
	} else if key, err := unquote(src[m.key:m.keyEnd]); err == nil {
		f = p.fields[key]
	}
	if f == nil {
		return copies
	}
	return f
}

// isEmptyList reports whether an empty list begins at i.
func isEmptyList(src []byte, i int) bool {
	if i >= len(src) || src[i] != '[' {
		return false
	}
	i = space(src, i+1)
	return i < len(src) && src[i] == ']'
}

// isNull reports whether a function returns a value that is unset.
func isNull(text []byte) bool { return string(text) == "null" }

// isEmpty reports whether encoding/json leaves out a field with omitempty.
func isEmpty(text []byte) bool {
	switch string(text) {
	case "false", "0", `""`, "[]", "{}":
		return true
	}
	return len(text) > 0 && jsonType(text) == '0' && sameNumber(string(text), "0")
}

func unquote(text []byte) (s string, err error) {
	err = json.Unmarshal(text, &s)
	return s, err
}

func (r *run) element(m *member) string { return "." + string(r.src[m.key+1:m.keyEnd-1]) }

// fill adds the fields that only the destination has behind the last member.
func (r *run) fill(p *program, kept, members int, filled []int) error {
	for i := range p.fills {
		if slices.Contains(filled, i) {
			continue
		}
		f := &p.fills[i]
		value, err := f.get()
		if err != nil {
			return r.below("."+f.name, err)
		}
		if value == nil {
			continue
		}
		if f.key == nil {
			if value = bytes.TrimSpace(value); len(value) < 2 || value[0] != '{' {
				continue
			}
			if value = bytes.TrimSpace(value[1 : len(value)-1]); len(value) == 0 {
				continue
			}
		}
		r.copyTo(kept)
		if members > 0 {
			r.out = append(r.out, ',')
		}
		members++
		r.out = append(append(r.out, f.key...), value...)
	}
	return nil
}

package wire

// Go writes the zero values of some fields, and leaves out those of others. JSON may differ in both, and is written by Go later,
// such as by a controller that updates the object. So what a version shows of a lost value is tracked with the zero values
// that Go writes in it, and is still shown if Go writes the same for it.

// completed returns a value with the zero values that Go writes in it. fits returns what Go writes; nil if that is not known.
func completed(value []byte, fits Func) []byte {
	object := asWritten(value, fits)
	if object == nil {
		return value
	}
	n := newNode(value, 0)
	n.complete(newNode(object, 0))
	return n.append(nil)
}

// written returns what the destination shows, with the zero values that Go writes in it.
func (l *loss) written() []byte {
	if l.hooked == 0 {
		return completed(l.was, l.fits)
	}
	object := newNode(l.was, 0)
	object.parse()
	for i, member := range object.nodes {
		name := object.name(i)
		if member.is('{') || member.is('[') {
			object.set(name, newNode(completed(member.text, ofMember(l.fits, name)), -1))
		}
	}
	return object.append(nil)
}

// ofMember returns what says what Go writes for a member of an object; nil if that is not known of the object.
func ofMember(fits Func, name string) Func {
	if fits == nil {
		return nil
	}
	return func(value []byte) ([]byte, error) {
		object := newObject()
		object.set(name, newNode(value, -1))
		text, err := fits(object.append(nil))
		return newNode(text, 0).get(name).json(), err
	}
}

// sameCompleted reports whether two values are the same with the zero values that Go writes in them.
func sameCompleted(a, b []byte, fits Func) bool {
	return same(a, b) || same(completed(a, fits), completed(b, fits))
}

// sameWritten reports whether Go writes the same for two objects or lists.
func sameWritten(a, b []byte, fits Func) bool {
	a, b = asWritten(a, fits), asWritten(b, fits)
	return a != nil && b != nil && same(a, b)
}

// asWritten returns what Go writes for an object or a list; nil if that is not known.
func asWritten(value []byte, fits Func) []byte {
	if value = present(value); fits == nil || value == nil || value[0] != '{' && value[0] != '[' {
		return nil
	}
	text, err := call(fits, value)
	if err != nil {
		return nil
	}
	return text
}

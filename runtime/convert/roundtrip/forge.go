package roundtrip

import (
	"bytes"
	"strings"

	"github.com/kindsmith/kindsmith/runtime/wire"
)

const lawForged = "forged tracked values, JSON"

// forgeries are values that clients write in place of tracked ones. The last changes the scalars in the value.
var forgeries = []func(value *node) *node{
	forgery(`true`), forgery(`-1.5`), forgery(`1e30`), forgery(`" forged"`), forgery(`[1]`), forgery(`{"forged":{}}`), forgery(`[[],{"a":[1]}]`), mistype,
}

func forgery(text string) func(*node) *node {
	return func(*node) *node {
		n, err := parse([]byte(text))
		if err != nil {
			panic(err)
		}
		return n
	}
}

// mistype returns a value whose scalars have other types.
func mistype(value *node) *node {
	value = value.clone()
	for i, item := range value.items {
		value.items[i] = mistype(item)
	}
	if value.kind == 's' && value.text != "null" {
		if strings.HasPrefix(value.text, `"`) {
			value.text = "-7"
		} else {
			value.text = `"forged"`
		}
	}
	return value
}

// forge checks that tracked values which a client has changed to others, of any type, make no object that Go cannot
// decode.
func (p *pair) forge(o *subject, there *node) *violation {
	forged := there.clone()
	n := len(o.text) // as good as at random
	if values := forged.get("status").get("changedValues"); values != nil {
		n = values.falsify(n)
	} else if annotation := forged.get("metadata").get("annotations").get(wire.TrackingAnnotation(p.group)); annotation != nil {
		values, err := parse([]byte(plain(annotation.text)))
		if err != nil {
			return fails(lawForged, err)
		}
		n = values.falsify(n)
		annotation.text = spell(string(values.append(nil, "")))
	}
	if n == len(o.text) {
		return nil
	}
	text := forged.append(nil, "")
	back := p.convert(text, p.from)
	if back.err != nil {
		if p.convert(p.untracked(there, false).append(nil, ""), p.from).err != nil {
			return nil // a value does not convert, and is not restored
		}
		return fails(lawForged, back.err)
	}
	if _, err := p.decode(back.text, p.from); err != nil && !bytes.Equal(back.text, o.text) {
		return &violation{lawForged, difference{a: string(text), b: err.Error()}}
	}
	return nil
}

// falsify replaces the values of tracked ones, and returns the number of the next forgery.
func (n *node) falsify(next int) int {
	for _, direction := range []string{"upgrades", "downgrades"} {
		if versions := n.get(direction); versions != nil {
			for _, entries := range versions.items {
				for _, entry := range entries.items {
					if value := entry.get("value"); value != nil {
						*value = *forgeries[next%len(forgeries)](value)
						next++
					}
				}
			}
		}
	}
	return next
}

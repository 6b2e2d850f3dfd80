package roundtrip

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// forgeries are values that clients write in place of stored ones. The last changes the scalars in the value.
var forgeries = []func(value *node) *node{
	forgery(`true`), forgery(`-1.5`), forgery(`1e30`), forgery(`" forged"`), forgery(`[1]`), forgery(`{"forged":{}}`), forgery(`[[],{"a":[1]}]`),
	forgery(`null`), forgery(`"$"`), forgery(`"$.spec"`), forgery(`"$.spec[0]"`), forgery(`"$.metadata"`), forgery(`"$.metadata.labels.a"`), forgery(`[99999999999999999999,-1]`), mistype,
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

// entries are stored entries that no conversion writes. The long ones are rare, since they take long.
var (
	entries = []string{
		`{"jsonPath":"$","value":"x"}`, `{"jsonPath":"$.spec","value":7}`, `{"jsonPath":"$.spec","value":{"forged":[]}},{"jsonPath":"$.spec","value":{}}`,
		`{"jsonPath":"$.kind","value":"Pod"}`, `{"jsonPath":"$.metadata","value":{"name":7}}`, `{"jsonPath":"$.metadata.name","value":"x"}`,
		`{"jsonPath":"$.metadata.uid","value":"x"}`, `{"jsonPath":"$.metadata.labels","value":{"a b":"c"}}`, `{"jsonPath":"$.metadata.labels['a b']","value":"c"}`,
		`{"jsonPath":"$.spec[0]","lengths":[1]}`, `7`, `{}`, `null`, `{"jsonPath":"$.status","value":[]}`, `{"jsonPath":["$"],"lengths":{}}`,
	}
	longEntries = []string{
		`{"jsonPath":"$` + strings.Repeat(".spec", 100000) + `","value":1}`,
		`{"jsonPath":"$.spec.forged","value":"` + strings.Repeat("x", 1<<20) + `"}`,
		strings.Repeat(`{"jsonPath":"$.spec.forged","value":{}},`, 3000) + `{}`,
	}
)

// Of rarely objects one gets long entries: that with the first seed, and others of long runs.
const (
	rarely    = 1000
	firstLong = 40
)

// forge checks that stored values which a client has changed stop no conversion, and make no object that Go cannot
// decode.
func (o *subject) forge(via *version, there *result) *violation {
	g := &generator{Rand: random(o.seed)}
	if values, _ := o.values(there.parsed); values != nil {
		forged := there.parsed.clone()
		values, set := o.values(forged)
		g.falsify(values)
		set(values)
		if v := o.converts(g, via, there, forged); v != nil {
			return v
		}
	}
	if v := o.converts(g, via, there, o.withValues(there.parsed, pick(g, o.kind.forged)())); v != nil {
		return v
	}
	if o.seed%rarely != firstLong || via != o.kind.versions[0] {
		return nil
	}
	for _, list := range o.kind.longForged {
		alone := *o
		alone.origin = &origin{o.suite, o.kind, o.from, newResults()} // results this long are used once
		if v := alone.converts(g, via, there, o.withValues(there.parsed, list())); v != nil {
			return v
		}
	}
	return nil
}

// converts checks that an object of a version, with forged values, converts to the oldest and the newest version, which takes all steps,
// and to another, which decides what of it is stored.
func (o *subject) converts(g *generator, at *version, there *result, x *node) *violation {
	forged := o.results.ofTree(x, "")
	_, unreadable := there.decode(at)
	if o.kind.store == jsonconvert.Status { // whose values Go decodes too
		_, unreadable = forged.decode(at)
	}
	versions := o.kind.versions
	o.spread(forged, true)
	for _, to := range []*version{versions[0], versions[len(versions)-1], pick(g, versions)} {
		out := o.convert(forged, to, true)
		err := out.err
		if err == nil && unreadable == nil {
			_, err = out.decode(to)
		}
		if err == nil && bytes.Contains(forged.text, []byte("$.metadata")) {
			err = keepsMetadata(there, out)
		}
		if err != nil {
			return &violation{"forged stored values", to, difference{a: fmt.Sprintf("%s: %.1000s", err, forged.text)}}
		}
	}
	return nil
}

// keepsMetadata returns an error if an object, converted with forged values, has other metadata, or labels that API servers refuse: with
// it, they refuse all objects of a list. A null is no value.
func keepsMetadata(there, out *result) error {
	tree, err := out.tree()
	if err != nil {
		return err
	}
	before, after := there.parsed.get("metadata"), tree.get("metadata")
	value := func(m *node, key string) *node {
		if v := m.get(key); v != nil && v.text != "null" {
			return v
		}
		return nil
	}
	for _, m := range []*node{before, after} {
		for i := 0; m != nil && i < len(m.keys); i++ {
			if key := plain(m.keys[i]); key != "labels" && key != "annotations" && !value(before, key).equal(value(after, key)) {
				return fmt.Errorf("metadata.%s changes", key)
			}
		}
	}
	if labels := after.get("labels"); labels != nil && labels.get("a b") != nil {
		return errors.New("the object gets a label that is not valid")
	}
	return nil
}

// forgedBy returns the stored values with each of several lists of entries for some versions.
func forgedBy(store jsonconvert.Store, lists []string, versions ...jsonconvert.Version) (values []func() *node) {
	for _, entries := range lists {
		values = append(values, sync.OnceValue(func() *node { return forgedValues(store, entries, versions) }))
	}
	return values
}

// forgedValues returns stored values with entries for some versions, as objects of a kind have them.
func forgedValues(store jsonconvert.Store, entries string, of []jsonconvert.Version) *node {
	var versions []string
	for _, v := range of {
		versions = append(versions, spell(v.Name)+":["+entries+"]")
	}
	all := "{" + strings.Join(versions, ",") + "}"
	text := `{"format":2,"upgrades":` + all + `,"downgrades":` + all + `,"hidden":[{"in":"labels","key":"a","value":7},1],"keep":7,"null":"x"}`
	if store != jsonconvert.Status {
		return scalar(spell(text))
	}
	return forgery(text)(nil)
}

// withValues returns an object with other stored values.
func (o *origin) withValues(x, values *node) *node {
	path := []string{"metadata", "annotations", jsonconvert.TrackingAnnotation(o.api.Group)}
	if o.kind.store == jsonconvert.Status {
		path = []string{"status", "changedValues"}
	}
	x = x.fork(path[:len(path)-1]...)
	below := x
	for _, key := range path[:len(path)-1] {
		if at := below.get(key); at == nil || at.kind != '{' {
			below.drop(key)
			below.add(key, object())
		}
		below = below.get(key)
	}
	below.drop(path[len(path)-1])
	below.add(path[len(path)-1], values)
	return x
}

// falsify replaces parts of stored values.
func (g *generator) falsify(values *node) {
	for _, direction := range []string{"upgrades", "downgrades"} {
		versions := values.get(direction)
		if versions == nil {
			continue
		}
		for _, entries := range versions.items {
			for _, e := range entries.items {
				key := pick(g, []string{"value", "value", "value", "was", "jsonPath", "lengths"})
				if part := e.get(key); part != nil {
					*part = *pick(g, forgeries)(part)
				}
			}
			if g.IntN(4) == 0 {
				entries.items = append(entries.items, entries.items...)
			}
		}
	}
}

package roundtrip

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/runtime/wire"
)

// generator makes objects at random.
type generator struct {
	*rand.Rand
	*shapes
	// odd adds what Go objects cannot hold: unknown fields, numbers and strings in
	// unusual spellings.
	odd bool
	// sparse makes structs with one field, so that no other hides what it loses. Half of the objects have all
	// fields at the top.
	sparse bool
	// left bounds the size of an object.
	left    int
	unknown int
}

// unknownKey begins the keys of unknown fields, each of which occurs once.
const unknownKey = "x-unknown-"

// object returns an object of a kind.
func (g *generator) object(t reflect.Type, apiVersion, kind string) *node {
	g.left, g.unknown = 20+g.IntN(150), 0
	n := object()
	head := [][2]string{{"apiVersion", apiVersion}, {"kind", kind}}
	if g.odd && g.IntN(4) == 0 {
		slices.Reverse(head)
	}
	for _, h := range head {
		n.add(h[0], scalar(spell(h[1])))
	}
	g.fields(n, t, 0, false)
	for i, only := 0, g.IntN(len(g.entries)+1); i < len(g.entries); i++ {
		e := &g.entries[i]
		if g.sparse && i != only || !g.sparse && g.IntN(2) > 0 {
			continue
		}
		below := n
		for _, key := range e.path()[:2] {
			if below.get(key) == nil {
				below.add(key, object())
			}
			below = below.get(key)
		}
		if below.get(e.Key) == nil {
			text := g.text(false)
			for e.Map == "labels" && !wire.IsLabel(plain(text)) {
				text = g.text(false)
			}
			below.add(e.Key, scalar(text))
		}
	}
	return n
}

// fields adds members of a struct to an object.
func (g *generator) fields(n *node, t reflect.Type, depth int, decoded bool) {
	list := slices.DeleteFunc(slices.Clone(g.structure(t)), func(m member) bool {
		return depth == 0 && slices.Contains([]string{"apiVersion", "kind"}, m.key) || indirect(m.typ) == changedValues // which conversions write
	})
	if g.sparse && len(list) > 0 && (depth > 0 || g.IntN(2) > 0) {
		list = []member{pick(g, list)}
	}
	if g.odd {
		g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	for _, m := range list {
		if g.left <= 0 && depth > 1 || !g.sparse && g.IntN(3+depth) > 2 {
			continue
		}
		g.left--
		n.add(m.key, g.value(m.typ, m.know, depth+1, decoded || m.know.decoded))
		g.surprise(n, decoded)
	}
}

// surprise adds an unknown field.
func (g *generator) surprise(n *node, decoded bool) {
	if g.odd && !decoded && g.IntN(12) == 0 {
		g.unknown++
		n.add(fmt.Sprintf("%s%03d", unknownKey, g.unknown), g.anything(0))
	}
}

// value returns a value of a type.
func (g *generator) value(t reflect.Type, know flags, depth int, decoded bool) *node {
	if t.Kind() == reflect.Pointer {
		if g.IntN(12) == 0 {
			return scalar("null")
		}
		return g.value(indirect(t), know, depth, decoded)
	}
	of := g.of(t)
	decoded = decoded || of.decoded
	if len(of.values) > 0 && (of.closed || g.IntN(5) > 0) {
		return scalar(pick(g, of.values))
	}
	if n := g.special(t); n != nil {
		return n
	}
	if g.ownJSON(t) {
		return g.own(t, depth)
	}
	spelled := g.odd && !decoded && len(of.values) == 0
	switch t.Kind() {
	case reflect.Struct:
		n := object()
		g.fields(n, t, depth, decoded)
		return n
	case reflect.Map:
		return g.mapping(t, depth, decoded)
	case reflect.Slice, reflect.Array:
		return g.list(t, know, depth, decoded)
	case reflect.String:
		return scalar(g.text(spelled))
	case reflect.Bool:
		return scalar(strconv.FormatBool(g.IntN(2) == 0))
	case reflect.Float32, reflect.Float64:
		if spelled {
			return scalar(pick(g, []string{"1.0", "1.50", "1E2", "-0", "0.50e+1"}))
		}
		return scalar(pick(g, []string{"0", "1.5", "-2.25", "1000000", "0.125"}))
	case reflect.Interface:
		return g.anything(depth)
	}
	if t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 {
		return scalar(g.integer(t, spelled))
	}
	return scalar("null")
}

func (g *generator) integer(t reflect.Type, spelled bool) string {
	if spelled && g.IntN(6) == 0 && t.Kind() < reflect.Uint {
		return "-0" // other unusual spellings of integers do not fit Go types
	}
	bits := t.Bits()
	if t.Kind() >= reflect.Uint {
		most := uint64(math.MaxUint64) >> (64 - min(bits, 63)) // JSON of API servers has no larger integers
		return strconv.FormatUint(pick(g, []uint64{0, 1, 2, uint64(g.IntN(100)), g.Uint64() & most, most}), 10)
	}
	most := int64(math.MaxInt64) >> (64 - bits)
	return strconv.FormatInt(pick(g, []int64{0, 1, -1, int64(g.IntN(100)), g.Int64() & most, most, -most - 1}), 10)
}

// words are strings with characters that JSON, paths or programs treat specially.
var words = []string{
	"", "a", "b", "name", "some text", "null", "true", "1", "-1", "Ünïcödé", "日本", "😀", `quo"te`, `back\slash`, "a/b", "a.b", "a,b", "~1",
	"$.spec['x']", "[0]", "line\nbreak", "\u0001", "<&>", "\u2028", "deprecatedName", "5m", "2026-01-02T03:04:05Z", "1Gi",
	":", ":1", "a:", "a:08", "a:b:0", "/", "/a:0", "a//b", "::1",
	strings.Repeat("long ", 60),
}

func (g *generator) text(spelled bool) string {
	if spelled && g.IntN(6) == 0 {
		return pick(g, []string{`"\u0041\/"`, `"\ud83d\ude00"`, `"\ud800"`, `"<>"`, `"\u00e9"`})
	}
	if g.IntN(3) == 0 {
		return spell("s" + strconv.Itoa(g.IntN(1000)))
	}
	return spell(pick(g, words))
}

func (g *generator) mapping(t reflect.Type, depth int, decoded bool) *node {
	n := object()
	for range g.length(depth) {
		key := plain(g.text(false))
		switch k := g.of(t.Key()); {
		case len(k.values) > 0:
			key = strings.Trim(pick(g, k.values), `"`)
		case t.Key().Kind() != reflect.String:
			key = g.integer(t.Key(), false)
		}
		if n.get(key) == nil {
			n.add(key, g.value(t.Elem(), flags{}, depth+1, decoded))
		}
	}
	return n
}

func (g *generator) length(depth int) int {
	if g.left <= 0 || depth > 12 {
		return 0
	}
	length := g.IntN(4)
	g.left -= length
	return length
}

func (g *generator) list(t reflect.Type, know flags, depth int, decoded bool) *node {
	if t.Elem().Kind() == reflect.Uint8 && t.Kind() == reflect.Slice {
		return scalar(pick(g, []string{`""`, `"AQID"`, `"/+8="`}))
	}
	n := &node{kind: '['}
	length := t.Len
	if t.Kind() == reflect.Slice {
		if g.IntN(10) == 0 {
			return scalar("null")
		}
		length = func() int { return g.length(depth) }
	}
	taken := map[string]bool{}
	for range length() {
		item := g.value(t.Elem(), flags{}, depth+1, decoded)
		if know.unique || len(know.keys) > 0 {
			id := g.identify(indirect(t.Elem()), item, know.keys)
			if taken[id] {
				continue
			}
			taken[id] = true
		}
		n.items = append(n.items, item)
	}
	return n
}

// identify returns what an item is known by in a set or a keyed list. Items of keyed
// lists get the keys that they lack.
func (g *generator) identify(t reflect.Type, item *node, keys []string) string {
	if len(keys) == 0 || item.kind != '{' {
		return item.canonical()
	}
	id := ""
	for _, key := range keys {
		value := item.get(key)
		if value == nil {
			value = scalar(g.text(false))
			for _, m := range g.structure(t) {
				if m.key == key {
					value = g.value(indirect(m.typ), m.know, 0, true)
				}
			}
			item.add(key, value)
		}
		id += value.canonical() + ","
	}
	return id
}

// anything returns any JSON, without null.
func (g *generator) anything(depth int) *node {
	switch n := g.IntN(8); {
	case n == 0 && depth < 4:
		return &node{kind: '[', items: []*node{g.anything(depth + 1), g.anything(depth + 1)}}
	case n <= 2 && depth < 4:
		o := object()
		o.add("any", g.anything(depth+1))
		return o
	case n == 3:
		return scalar(strconv.Itoa(g.IntN(1000)))
	case n == 4:
		return scalar(pick(g, []string{"true", "1.0", "1E2", "-0", "12345678901234567890"}))
	}
	return scalar(g.text(false))
}

// special returns a value of a type whose JSON its declaration does not show, nil for
// other types.
func (g *generator) special(t reflect.Type) *node {
	switch t {
	case reflect.TypeFor[metav1.Time](), reflect.TypeFor[time.Time]():
		return scalar(pick(g, []string{`"2026-01-02T03:04:05Z"`, `"1999-12-31T23:59:59Z"`, `"2026-07-02T00:00:00Z"`}))
	case reflect.TypeFor[metav1.MicroTime]():
		return scalar(pick(g, []string{`"2026-01-02T03:04:05.000006Z"`, `"1999-12-31T23:59:59.999999Z"`}))
	case reflect.TypeFor[metav1.Duration]():
		return scalar(pick(g, []string{`"0s"`, `"5m0s"`, `"1h30m0s"`, `"100ms"`, `"90m"`, `"-1s"`}))
	case reflect.TypeFor[resource.Quantity]():
		return scalar(pick(g, []string{`"0"`, `"1"`, `"100m"`, `"1Gi"`, `"1.5Gi"`, `"2k"`, `"1e3"`, `5`}))
	case reflect.TypeFor[intstr.IntOrString]():
		return scalar(pick(g, []string{`0`, `1`, `8080`, `"http"`, `"50%"`, `""`}))
	case reflect.TypeFor[metav1.FieldsV1](), reflect.TypeFor[runtime.RawExtension]():
		n := object()
		n.add("any", g.anything(1))
		return n
	case reflect.TypeFor[json.RawMessage]():
		return g.anything(1)
	}
	return nil
}

// own returns a value of a type with JSON of its methods: any if the type holds any,
// else what its methods make of random fields.
func (g *generator) own(t reflect.Type, depth int) *node {
	v := reflect.New(t)
	guesses := []*node{g.anything(depth), scalar(g.text(false)), scalar(strconv.Itoa(g.IntN(100)))}
	if t.Kind() == reflect.Struct && depth < 12 {
		n := object()
		g.fields(n, t, depth+1, true)
		guesses = append([]*node{n}, guesses...)
	}
	for _, guess := range guesses {
		if utiljson.Unmarshal(guess.append(nil, ""), v.Interface()) != nil {
			continue
		}
		if n := encoded(v); n != nil {
			return n
		}
	}
	if n := encoded(reflect.New(t)); n != nil {
		return n
	}
	return scalar("null")
}

// encoded returns what the methods of a type make of a value, if they read it again.
func encoded(v reflect.Value) *node {
	text, err := json.Marshal(v.Interface())
	if err != nil || utiljson.Unmarshal(text, reflect.New(v.Type().Elem()).Interface()) != nil {
		return nil
	}
	n, err := parse(text)
	if err != nil {
		return nil
	}
	return n
}

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

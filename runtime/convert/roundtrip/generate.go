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
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// generator makes objects at random.
type generator struct {
	*rand.Rand
	// odd adds what Go objects cannot hold: unknown fields, nulls, numbers and strings in unusual spellings.
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

// object returns an object of a version of a kind.
func (g *generator) object(k *kind, v *version, apiVersion string) *node {
	g.left, g.unknown = 20+g.IntN(150), 0
	n := object()
	head := [][2]string{{"apiVersion", apiVersion}, {"kind", k.name}}
	if g.odd && g.IntN(4) == 0 {
		slices.Reverse(head)
	}
	for _, h := range head {
		n.add(h[0], scalar(spell(h[1])))
	}
	g.fields(n, v.shape, 0)
	g.places(n, k.places)
	return n
}

// places adds labels and annotations that are fields in other versions.
func (g *generator) places(n *node, places []jsonconvert.Place) {
	for i, only := 0, g.IntN(len(places)+1); i < len(places); i++ {
		p := &places[i]
		if g.sparse && i != only || !g.sparse && g.IntN(2) > 0 {
			continue
		}
		below := n
		for _, key := range []string{"metadata", p.In} {
			if at := below.get(key); at == nil || at.kind != '{' {
				below.drop(key)
				below.add(key, object())
			}
			below = below.get(key)
		}
		if below.get(p.Key) == nil {
			text := g.text(false)
			for p.In == "labels" && len(validation.IsValidLabelValue(plain(text))) > 0 {
				text = g.text(false)
			}
			below.add(p.Key, scalar(text))
		}
	}
}

// fields adds members of a struct to an object.
func (g *generator) fields(n *node, s *shape, depth int) {
	list := slices.DeleteFunc(slices.Clone(s.fields), func(f *field) bool {
		return depth == 0 && slices.Contains([]string{"apiVersion", "kind"}, f.key)
	})
	if g.sparse && len(list) > 0 && (depth > 0 || g.IntN(2) > 0) {
		list = []*field{pick(g, list)}
	}
	if g.odd {
		g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	for _, f := range list {
		if g.left <= 0 && depth > 1 || !g.sparse && g.IntN(3+depth) > 2 {
			continue
		}
		g.left--
		n.add(f.key, g.field(f, depth+1))
		g.surprise(n)
	}
}

// surprise adds an unknown field.
func (g *generator) surprise(n *node) {
	if g.odd && g.IntN(12) == 0 {
		g.unknown++
		n.add(fmt.Sprintf("%s%03d", unknownKey, g.unknown), g.anything(0))
	}
}

// field returns a value of a field.
func (g *generator) field(f *field, depth int) *node {
	switch {
	case (f.pointer || g.odd && !f.refusesNull) && g.IntN(12) == 0:
		return scalar("null")
	case !f.pointer && g.IntN(16) == 0:
		if zero := f.zeroNode(); zero != nil {
			return zero
		}
	}
	n := g.value(f.shape, depth)
	if n.kind == '[' && len(f.keys) > 0 {
		for _, item := range n.items {
			g.identify(item, f.elem, f.keys)
		}
	}
	if n.kind == '[' && (f.unique || len(f.keys) > 0) && g.IntN(8) > 0 {
		n.items = distinct(n.items, f.keys)
	}
	return n
}

// zeroNode returns the zero value of a field; nil for one with none.
func (f *field) zeroNode() *node {
	switch {
	case f.form == structForm || f.form == mapForm:
		return object()
	case f.zero == "":
		return nil
	}
	n, err := parse([]byte(f.zero))
	if err != nil {
		return nil
	}
	return n
}

// value returns a value of a type.
func (g *generator) value(s *shape, depth int) *node {
	if len(s.values) > 0 && (s.closed || g.IntN(5) > 0) {
		return scalar(pick(g, s.values))
	}
	if n := g.special(s.typ); n != nil {
		return n
	}
	spelled := g.odd && len(s.values) == 0
	switch s.form {
	case ownForm:
		return g.own(s, depth)
	case anyForm:
		return g.anything(depth)
	case structForm:
		n := object()
		if depth < 12 {
			g.fields(n, s, depth)
		}
		return n
	case mapForm:
		return g.mapping(s, depth)
	case bytesForm:
		return scalar(pick(g, []string{`""`, `"AQID"`, `"/+8="`}))
	case listForm:
		return g.list(s, depth)
	}
	return g.scalar(s.typ, spelled)
}

func (g *generator) scalar(t reflect.Type, spelled bool) *node {
	switch k := t.Kind(); {
	case k == reflect.String:
		return scalar(g.text(spelled))
	case k == reflect.Bool:
		return scalar(strconv.FormatBool(g.IntN(2) == 0))
	case k == reflect.Float32 || k == reflect.Float64:
		if spelled {
			return scalar(pick(g, []string{"1.0", "1.50", "1E2", "-0", "0.50e+1"}))
		}
		return scalar(pick(g, []string{"0", "1.5", "-2.25", "1000000", "0.125"}))
	case k >= reflect.Int && k <= reflect.Uint64:
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

func (g *generator) mapping(s *shape, depth int) *node {
	n := object()
	for range g.length(depth) {
		key := plain(g.text(false))
		switch {
		case len(s.key.values) > 0:
			key = plain(pick(g, s.key.values))
		case s.key.typ.Kind() != reflect.String:
			key = g.integer(s.key.typ, false)
		}
		if n.get(key) == nil {
			n.add(key, g.value(s.elem, depth+1))
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

func (g *generator) list(s *shape, depth int) *node {
	n := &node{kind: '['}
	length := s.typ.Len
	if s.typ.Kind() == reflect.Slice {
		length = func() int { return g.length(depth) }
	}
	for range length() {
		n.items = append(n.items, g.value(s.elem, depth+1))
	}
	return n
}

// identify gives most items of a keyed list the keys that they lack.
func (g *generator) identify(item *node, s *shape, keys []string) {
	for _, key := range keys {
		if f := s.field(key); f != nil && item.kind == '{' && item.get(key) == nil && g.IntN(8) > 0 {
			item.add(key, g.value(f.shape, 1))
		}
	}
}

// distinct returns the items without those that repeat the keys of another, or its value.
func distinct(items []*node, keys []string) []*node {
	taken := map[string]bool{}
	return slices.DeleteFunc(items, func(item *node) bool {
		id := identity(item, keys)
		repeats := taken[id]
		taken[id] = true
		return repeats
	})
}

// identity returns what an item is known by in a set or a keyed list.
func identity(item *node, keys []string) string {
	if len(keys) == 0 {
		return item.canonical()
	}
	id := ""
	for _, key := range keys {
		if value := item.get(key); value != nil {
			id += value.canonical()
		}
		id += ","
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
func (g *generator) own(s *shape, depth int) *node {
	v := reflect.New(s.typ)
	guesses := []*node{g.anything(depth), scalar(g.text(false)), scalar(strconv.Itoa(g.IntN(100)))}
	if s.elem != nil && depth < 12 {
		guesses = append([]*node{g.value(s.elem, depth+1)}, guesses...)
	}
	for _, guess := range guesses {
		if utiljson.Unmarshal(guess.append(nil, ""), v.Interface()) != nil {
			continue
		}
		if n := encoded(v); n != nil {
			return n
		}
	}
	if n := encoded(reflect.New(s.typ)); n != nil {
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

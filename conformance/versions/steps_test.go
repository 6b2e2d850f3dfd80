package versions_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
	"github.com/kindsmith/kindsmith/internal/versions/steptable"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// laws checks the conversions of an API on random objects.
type laws struct {
	t         *testing.T
	api       *steps.API
	table     *steptable.Table
	converter *jsonconvert.Converter
	annotated int
	fails     map[string]int
}

// newLaws returns the laws of an API. The author's functions are others, which lose all that they can: each returns a value
// that depends on nothing but its argument.
func newLaws(t *testing.T, api *steps.API) *laws {
	table := steptable.New(api)
	table.Funcs = slices.Clone(table.Funcs)
	table.API.Funcs = map[string]jsonconvert.Func{}
	for _, f := range table.Funcs {
		table.API.Funcs[f.Name] = anyFunc(api, table, f)
	}
	c, err := jsonconvert.New(table.API)
	if err != nil {
		t.Fatal(err)
	}
	c.Strict = true
	return &laws{t: t, api: api, table: table, converter: c, fails: map[string]int{}}
}

// anyFunc returns a function whose result depends on its argument in no way that one can guess.
func anyFunc(api *steps.API, table *steptable.Table, f steptable.Func) jsonconvert.Func {
	return func(text []byte) ([]byte, error) {
		h := fnv.New64()
		fmt.Fprint(h, f.Name)
		o := &objects{api: api, m: api.Model, plain: true}
		var in any
		if len(text) > 0 {
			decode(string(text), &in)
		}
		pair, isPair := in.([]any)
		if f.Hook {
			if !isPair || len(pair) != 2 {
				return nil, errors.New("no pair")
			}
			in = pair[0]
		}
		if f.In != nil {
			if unknown := o.unknown(in, f.In, ""); unknown != "" {
				return nil, fmt.Errorf("unknown: the argument of %s has %s", f.Name, unknown)
			}
			fmt.Fprint(h, canon(o.normal(in, f.In)))
		}
		o.r = rand.New(rand.NewPCG(h.Sum64(), 1))
		if f.Out == nil {
			return []byte("null"), nil
		}
		if !f.Hook {
			return []byte(canon(o.of(f.Out, nil, 6))), nil
		}
		after := map[string]any{}
		before, _ := pair[1].(map[string]any)
		maps.Copy(after, before)
		made, _ := o.of(f.Out, nil, 6).(map[string]any)
		for _, key := range hookKeys(table, f.Name) {
			delete(after, key)
			if v, ok := made[key]; ok {
				after[key] = v
			}
		}
		return []byte(canon([]any{before, after})), nil
	}
}

// hookKeys returns the keys that a hook sets.
func hookKeys(table *steptable.Table, name string) []string {
	for _, s := range table.Steps {
		for _, t := range s.Types {
			for _, h := range t.Hooks {
				switch name {
				case h.Up:
					return h.Newer
				case h.Down:
					return h.Older
				}
			}
		}
	}
	return nil
}

func (l *laws) fail(law, format string, args ...any) {
	if l.fails[law]++; l.fails[law] == 1 {
		l.t.Errorf("%s: %s", law, fmt.Sprintf(format, args...))
	}
}

func (l *laws) convert(text string, to int) string {
	out, err := l.converter.Convert(nil, []byte(text), l.api.Versions[to].Name)
	if err != nil {
		return "error " + err.Error()
	}
	return string(out)
}

func (l *laws) isRefused(text string) bool { return strings.HasPrefix(text, "error ") }

// state returns an object of a version without what its type cannot tell from an absent value, and its tracked values.
func (l *laws) state(text string, kind steps.Kind, version int) (object, tracked string) {
	if l.isRefused(text) {
		return text, ""
	}
	var v any
	decode(text, &v)
	o := v.(map[string]any)
	if kind.Store == "annotation" {
		metadata, _ := o["metadata"].(map[string]any)
		annotations, _ := metadata["annotations"].(map[string]any)
		key := jsonconvert.TrackingAnnotation(l.api.Group)
		if stored, ok := annotations[key].(string); ok {
			var values any
			decode(stored, &values)
			tracked = canon(sorted(values))
			if delete(annotations, key); len(annotations) == 0 {
				delete(metadata, "annotations")
			}
			if len(metadata) == 0 {
				delete(o, "metadata")
			}
		}
	} else if status, ok := o["status"].(map[string]any); ok && status["changedValues"] != nil {
		values := status["changedValues"].(map[string]any)
		keep := values["keep"]
		tracked = canon(sorted(values))
		if delete(status, "changedValues"); len(status) == 0 && keep != "status" {
			delete(o, "status")
		}
	}
	objects := &objects{api: l.api, m: l.api.Model}
	out := objects.normal(v, l.typ(kind, version).Ref()).(map[string]any)
	delete(out, "apiVersion")
	return canon(out), tracked
}

// sorted returns tracked values without their order and without what says how to remove them.
func sorted(v any) any {
	values, _ := v.(map[string]any)
	delete(values, "keep")
	delete(values, "null")
	for _, key := range []string{"upgrades", "downgrades"} {
		versions, _ := values[key].(map[string]any)
		for name, list := range versions {
			entries, _ := list.([]any)
			var lines []string
			for _, e := range entries {
				lines = append(lines, canon(loosened(e)))
			}
			slices.Sort(lines)
			versions[name] = lines
		}
	}
	if list, ok := values["hidden"].([]any); ok {
		var lines []string
		for _, e := range list {
			lines = append(lines, canon(e))
		}
		slices.Sort(lines)
		values["hidden"] = lines
	}
	return v
}

// loosened returns a tracked value without nulls and zero values.
func loosened(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = loosened(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, item := range v {
			switch item = loosened(item); canon(item) {
			case "null", `""`, "0", "false", "{}", "[]", `"0"`, `"0s"`: // also those of quantities and durations
			default:
				out[key] = item
			}
		}
		return out
	}
	return v
}

func (l *laws) typ(kind steps.Kind, version int) *model.Type {
	return l.api.Model.Package(l.api.Versions[version].Package).Type(kind.Name)
}

// object returns a random object of a version; "" if it lacks the kind.
func (l *laws) object(kind steps.Kind, version int, r *rand.Rand) string {
	t := l.typ(kind, version)
	if t == nil {
		return ""
	}
	o := &objects{api: l.api, m: l.api.Model, r: r}
	for _, v := range l.api.Versions {
		o.places = append(o.places, v.Places...) // also those of other kinds
	}
	v := o.of(t.Ref(), nil, 0).(map[string]any)
	v["apiVersion"], v["kind"] = l.apiVersion(version), kind.Name
	return canon(v)
}

func (l *laws) apiVersion(k int) string {
	if l.api.Group == "" {
		return l.api.Versions[k].Name
	}
	return l.api.Group + "/" + l.api.Versions[k].Name
}

// check checks the laws on one random object.
func (l *laws) check(kind steps.Kind, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 5))
	n := len(l.api.Versions)
	from := r.IntN(n)
	x := l.object(kind, from, r)
	to, via := r.IntN(n), r.IntN(n)
	if x == "" || l.typ(kind, to) == nil || l.typ(kind, via) == nil || l.refuses(x, kind) {
		return
	}
	if same := l.convert(x, from); same != x {
		l.fail("L6", "%s\n%s", x, same)
	}
	object, _ := l.state(x, kind, from)
	y := l.convert(x, to)
	z := l.convert(y, from)
	if back, tracked := l.state(z, kind, from); back != object || tracked != "" {
		l.fail("L1 and L2", "seed %d %s -> %s\n%s\n%s\n%s", seed, l.api.Versions[from].Name, l.api.Versions[to].Name, x, y, z)
	}
	if strings.Contains(y, "jsonPath") {
		l.annotated++
	}
	var v any
	decode(y, &v)
	if unknown := (&objects{api: l.api, m: l.api.Model}).unknown(v, l.typ(kind, to).Ref(), "$"); unknown != "" {
		l.fail("known fields", "%s\n%s\n%s", unknown, x, y)
	}
	is, tracked := l.state(y, kind, to)
	other := l.convert(l.convert(x, via), to)
	if via, trackedVia := l.state(other, kind, to); via != is || trackedVia != tracked {
		l.fail("path independence", "seed %d\n%s\n%s\n%s", seed, x, y, other)
	}
	l.equivalent(kind, x, from, to, r)
	l.forge(kind, y, r)
	l.walk(kind, x, r)
}

// refuses reports whether a version cannot have an object, such as a text that is no number where a later version has a number.
func (l *laws) refuses(x string, kind steps.Kind) bool {
	for k := range l.api.Versions {
		if l.typ(kind, k) == nil {
			continue
		}
		if y := l.convert(x, k); l.isRefused(y) {
			if strings.Contains(y, "panicked") || strings.Contains(y, "did not notice") || strings.Contains(y, "unknown: ") {
				l.fail("error", "%s\n%s", x, y)
			}
			return true
		}
	}
	return false
}

// equivalent checks that objects that are the same for their Go type are the same after a conversion.
func (l *laws) equivalent(kind steps.Kind, x string, from, to int, r *rand.Rand) {
	var v any
	decode(x, &v)
	o := &objects{api: l.api, m: l.api.Model, r: r}
	text := canon(o.normal(v, l.typ(kind, from).Ref()))
	a, b := l.convert(x, to), l.convert(text, to)
	if l.isRefused(b) {
		l.fail("L8", "%s\n%s\n%s", x, text, b)
		return
	}
	if a, _ := l.state(a, kind, to); a != first2(l.state(b, kind, to)) {
		l.fail("L8", "%s -> %s\n%s\n%s\n%s\n%s", l.api.Versions[from].Name, l.api.Versions[to].Name, x, text, a, first2(l.state(b, kind, to)))
	}
}

func first2(a, _ string) string { return a }

// hostile are values that tracked values are exchanged for.
var hostile = []string{`1`, `"x"`, `true`, `{}`, `[]`, `[1]`, `{"a":1}`, `null`, `99999999999`, `"99"`, `[{}]`, `1.5`, `"$"`, `"$.spec"`, `"$.spec[0]"`, `"$.metadata"`}

// forge checks that whoever writes tracked values can make no conversion fail.
func (l *laws) forge(kind steps.Kind, y string, r *rand.Rand) {
	var v any
	decode(y, &v)
	o := v.(map[string]any)
	metadata, _ := o["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	key := jsonconvert.TrackingAnnotation(l.api.Group)
	text, ok := annotations[key].(string)
	if !ok {
		return
	}
	var values any
	decode(text, &values)
	for _, direction := range []string{"upgrades", "downgrades"} {
		versions, _ := values.(map[string]any)[direction].(map[string]any)
		for _, list := range versions {
			for _, e := range list.([]any) {
				var h any
				decode(pickOf(r, hostile), &h)
				e.(map[string]any)[pickOf(r, []string{"value", "value", "was", "jsonPath", "lengths"})] = h
			}
		}
	}
	annotations[key] = canon(values)
	forged := canon(v)
	for to := range l.api.Versions {
		if l.typ(kind, to) == nil {
			continue
		}
		out := l.convert(forged, to)
		if l.isRefused(out) {
			l.fail("forged", "%s -> %s\n%s", forged, l.api.Versions[to].Name, out)
			return
		}
		if bad := l.misfit(kind, out, to); bad != "" {
			l.fail("forged values fit", "%s\n%s\n%s", bad, forged, out)
		}
	}
}

// misfit returns what of an object its type cannot have.
func (l *laws) misfit(kind steps.Kind, text string, version int) string {
	var v any
	decode(text, &v)
	return l.misfits(v, &jsonconvert.Schema{Ref: l.table.Versions[version].Kinds[kind.Name].Ref}, version, "$")
}

func (l *laws) misfits(v any, s *jsonconvert.Schema, version int, at string) string {
	for s != nil && s.Ref != "" {
		s = l.table.Versions[version].Types[s.Ref]
	}
	if s == nil || v == nil {
		return ""
	}
	switch v := v.(type) {
	case map[string]any:
		if s.Kind != jsonconvert.ObjectKind && s.Kind != jsonconvert.MapKind && s.Kind != "" {
			return at
		}
		for key, item := range v {
			below := s.Elem
			if s.Kind == jsonconvert.ObjectKind {
				below = s.Fields[key]
			}
			if bad := l.misfits(item, below, version, at+"."+key); bad != "" {
				return bad
			}
		}
	case []any:
		if s.Kind != jsonconvert.ListKind && s.Kind != "" {
			return at
		}
		for i, item := range v {
			if bad := l.misfits(item, s.Elem, version, fmt.Sprintf("%s[%d]", at, i)); bad != "" {
				return bad
			}
		}
	case string:
		if s.Kind != jsonconvert.StringKind && s.Kind != jsonconvert.BytesKind && s.Kind != "" {
			return at
		}
	case bool:
		if s.Kind != jsonconvert.BoolKind && s.Kind != "" {
			return at
		}
	default:
		if s.Kind != jsonconvert.IntegerKind && s.Kind != jsonconvert.NumberKind && s.Kind != "" {
			return at
		}
	}
	return ""
}

// walk converts and edits an object at random. After each edit, all other versions give the object back, and show the same,
// whichever way they are reached.
func (l *laws) walk(kind steps.Kind, x string, r *rand.Rand) {
	for range 3 {
		at := r.IntN(len(l.api.Versions))
		if l.typ(kind, at) == nil {
			continue
		}
		x = l.convert(x, at)
		x = l.edit(kind, x, at, r)
		if l.refuses(x, kind) {
			return
		}
		object, _ := l.state(x, kind, at)
		for w := range l.api.Versions {
			if l.typ(kind, w) == nil {
				continue
			}
			y := l.convert(x, w)
			if back, _ := l.state(l.convert(y, at), kind, at); back != object {
				l.fail("L3 walk", "%s -> %s\n%s\n%s\n%s\n%s", l.api.Versions[at].Name, l.api.Versions[w].Name, x, y, back, object)
			}
			u := r.IntN(len(l.api.Versions))
			if l.typ(kind, u) == nil {
				continue
			}
			if a, b := l.convert(y, u), l.convert(x, u); first2(l.state(a, kind, u)) != first2(l.state(b, kind, u)) {
				l.fail("walk path", "%s by way of %s to %s\n%s\n%s\n%s", l.api.Versions[at].Name, l.api.Versions[w].Name, l.api.Versions[u].Name, x, a, b)
			}
		}
	}
}

// edit changes a scalar of an object.
func (l *laws) edit(kind steps.Kind, x string, at int, r *rand.Rand) string {
	var v any
	decode(x, &v)
	o := &objects{api: l.api, m: l.api.Model, r: r, plain: true}
	list := o.leaves(v, l.typ(kind, at).Ref(), nil, "$")
	list = slices.DeleteFunc(list, func(l leaf) bool { return l.set == nil })
	if len(list) == 0 {
		return x
	}
	to := pickOf(r, list)
	to.set(o.of(to.typ, nil, 6))
	return canon(v)
}

// runLaws checks the laws of all kinds of APIs on a number of objects each.
func runLaws(t *testing.T, apis []*steps.API, objects int) {
	for _, api := range apis {
		t.Run(strings.TrimSuffix(api.Group, ".example.com"), func(t *testing.T) {
			l := newLaws(t, api)
			for _, kind := range api.Kinds {
				if kind.Item != "" {
					continue
				}
				for i := range objects {
					l.check(kind, uint64(i))
				}
			}
			t.Logf("%d objects tracked values; %v", l.annotated, l.fails)
		})
	}
}

// TestNullItems converts a list with a null item to a map and back.
func TestNullItems(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/steps.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := workspacetest.Files("random.example.com")
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	dir := t.TempDir()
	for name, text := range files {
		if err := source.WriteFile(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	l := newLaws(t, stepsOf(t, dir, "./keyednames/...")[0])
	for _, items := range []string{`[null]`, `[{"name":"a"},null]`, `[{"name":"a","size":1},{"name":"a"}]`} {
		x := `{"apiVersion":"keyednames.example.com/v1","kind":"Thing","spec":{"items":` + items + `}}`
		kind := l.api.Kinds[0]
		y := l.convert(x, 0)
		is, tracked := l.state(l.convert(y, 1), kind, 1)
		if want, _ := l.state(x, kind, 1); is != want || tracked != "" {
			t.Errorf("%s\n%s\n%s %s", x, y, is, tracked)
		}
	}
	inner := `{"apiVersion":"keyednames.example.com/v1beta1","kind":"Thing","spec":{"items":{"a":{"name":"b","size":2}}}}`
	if back := l.convert(l.convert(inner, 1), 0); !strings.Contains(back, `"name":"b"`) {
		t.Errorf("the inner name is lost: %s", back)
	}
}

func stepsOf(t *testing.T, dir string, patterns ...string) []*steps.API {
	t.Helper()
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Dir: dir, Patterns: patterns}, bag)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			t.Errorf("%s: %s [%s]", d.Span, d.Message, d.Code)
		}
	}
	return steps.Build(m)
}

// TestSteps checks the laws of conversions by steps on the examples.
func TestSteps(t *testing.T) {
	runLaws(t, stepsOf(t, "", "../../examples/pipeline/api/...", "../../examples/database/api/..."), *stepObjects)
}

// TestStepsOfRandomAPIs checks the laws on random APIs and on those of which a test failed once.
func TestStepsOfRandomAPIs(t *testing.T) {
	files := workspacetest.Files("random.example.com")
	for i := range *stepSeeds {
		seed := *first + uint64(i)
		files[fmt.Sprintf("s%d/v1/types.go", seed)] = newAPI(seed).file(fmt.Sprintf("s%d.example.com", seed), *kinds)
	}
	for _, name := range []string{"steps", "regressions", "removed", "carried", "generics", "embedded"} {
		archive, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			files[f.Name] = string(f.Data)
		}
	}
	dir := t.TempDir()
	for name, text := range files {
		if err := source.WriteFile(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	runLaws(t, stepsOf(t, dir, "./..."), *stepObjects)
}

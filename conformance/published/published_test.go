package published_test

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/conformance/runner"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// rounds is the number of requests of TestAgree for each kind.
var rounds = flag.Int("rounds", 0, "requests that TestAgree makes of each kind; 0 skips it")

// only restricts TestAgree to kinds with a name.
var only = flag.String("kind", "", "the kind that TestAgree compares; by default all")

// allRounds is how many requests of each kind show every listed difference.
const allRounds = 1000

// difference is an entry of differences.yaml.
type difference struct {
	Kind string `json:"kind"`
	Path string `json:"path"`
	Only string `json:"only"`
	// Message is a regular expression that the message of the error matches; "" matches all.
	Message string `json:"message,omitempty"`
	Reason  string `json:"reason"`
	// Request shows a difference that random requests rarely show.
	Request *fixed `json:"request,omitempty"`

	used bool
}

// fixed is a request of the list.
type fixed struct {
	Object map[string]any `json:"object"`
	Old    map[string]any `json:"old,omitempty"`
}

// TestAgree compares the verdicts of generated Go, the evaluator and schemas on requests made at random.
func TestAgree(t *testing.T) {
	if *rounds == 0 {
		t.Skip("make crds and make agree run this test with -rounds")
	}
	content, err := os.ReadFile("differences.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var listed []*difference
	if err := yaml.UnmarshalStrict(content, &listed); err != nil {
		t.Fatal(err)
	}
	p := newProject(t)
	prepared := &diag.Bag{}
	if p.schemas.Prepare(p.schemas.Kinds(), prepared); prepared.HasErrors() {
		t.Fatal(text(prepared))
	}
	shapes := shapesIn(t, p.crds)
	counts := &counts{}
	for _, kind := range p.set.Kinds() {
		if *only != "" && kind.Kind != *only || shapes[kind] == nil || !slices.Contains(p.schemas.Kinds(), kind) {
			continue
		}
		counts.kinds++
		k := newKind(p, kind, shapes[kind])
		k.listed, k.counts = listed, counts
		k.compare(t, k.requests(*rounds))
		for _, d := range listed {
			k.shows(t, d)
		}
	}
	t.Logf("%+v", *counts)
	if *only == "" && (counts.ofRules < counts.requests/50 || counts.valid < counts.requests/10 || counts.blocked > counts.requests*2/3) {
		t.Error("these are too few requests, or too few of a verdict, to compare anything")
	}
	if *rounds >= allRounds && *only == "" {
		for _, d := range listed {
			if !d.used {
				t.Errorf("differences.yaml lists a difference that does not exist: %s at %s", d.Kind, d.Path)
			}
		}
	}
}

// counts say how much was compared.
type counts struct {
	kinds, requests int
	// refused are the requests that Go cannot decode, blocked those on which the server runs no rules in CEL.
	refused, blocked int
	// valid are those without an error, ofRules those that break a rule in CEL.
	valid, ofRules int
}

// request is a request with its objects.
type request struct{ object, old map[string]any }

// kind makes and compares requests of a kind.
type kind struct {
	*publishedTypes
	schema.GroupVersionKind
	name   eval.TypeName
	shape  *shape
	listed []*difference
	*counts
	*maker
	shown int
}

func newKind(p *publishedTypes, gvk schema.GroupVersionKind, s *shape) *kind {
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(gvk.String()))
	name, _ := p.set.Kind(gvk)
	return &kind{publishedTypes: p, GroupVersionKind: gvk, name: name, shape: s, maker: &maker{Rand: rand.New(rand.NewPCG(seed.Sum64(), 0)), words: s.words()}}
}

// requests returns requests to create and update objects, which differ little from objects that are valid or close to it.
func (k *kind) requests(n int) []request {
	var pool []map[string]any
	for range 4 + n/50 {
		pool = append(pool, k.almostValid())
	}
	made := make([]request, n)
	for i := range made {
		r := request{object: pool[k.IntN(len(pool))]}
		switch k.IntN(5) {
		case 0:
			r.object = k.changed(k.shape, r.object)
		case 1, 2:
			r.old = r.object
			r.object = k.changed(k.shape, r.old)
		case 3:
			r.old = k.changed(k.shape, r.object)
			r.object = k.changed(k.shape, r.old)
		case 4:
			r.old = pool[k.IntN(len(pool))]
		}
		made[i] = r
	}
	return made
}

// almostValid returns an object without the errors that a few repairs correct.
func (k *kind) almostValid() map[string]any {
	o := k.value(k.shape, 0).(map[string]any)
	o["apiVersion"], o["kind"] = k.GroupVersion().String(), k.Kind
	o["metadata"] = map[string]any{"name": "example", "namespace": "default"}
	for range 8 {
		errs := k.judged(k.schemas, request{object: o}).Errors
		for _, e := range k.evaluated(request{object: o}).Malformed {
			errs = append(errs, verdict.Error{Error: e})
		}
		if len(errs) == 0 {
			break
		}
		// Servers report errors in any order, and the objects are to be the same in each run.
		slices.SortFunc(errs, func(a, b verdict.Error) int { return strings.Compare(a.Error.Error(), b.Error.Error()) })
		for _, e := range errs {
			k.repaired(k.shape, o, e.Field, e.Type == field.ErrorTypeRequired)
		}
	}
	return o
}

func (k *kind) judged(e verdict.Engine, r request) verdict.Result {
	return e.Validate(context.Background(), verdict.Request{Kind: k.GroupVersionKind, Object: r.object, Old: r.old})
}

// evaluated runs the rules of the Go types without compiling them.
func (k *kind) evaluated(r request) *eval.Result {
	prepared := eval.Request{Type: k.name}
	for from, to := range map[*map[string]any]*map[string]any{&r.object: &prepared.Object, &r.old: &prepared.Old} {
		if *from == nil {
			continue
		}
		object, err := eval.Decode(encoded(*from))
		if err == nil {
			*to, _, err = k.set.Default(k.name, object)
		}
		if err != nil {
			return &eval.Result{Malformed: field.ErrorList{field.InternalError(nil, err)}}
		}
	}
	result, err := k.set.Validate(prepared)
	if err != nil {
		return &eval.Result{Malformed: field.ErrorList{field.InternalError(nil, err)}}
	}
	return result
}

// compare compares the verdicts of all engines on requests.
func (k *kind) compare(t *testing.T, made []request) {
	requests := make([]runner.Request, len(made))
	for i, r := range made {
		requests[i] = runner.Request{Type: k.name.String(), Object: encoded(r.object), Old: encoded(r.old), Unmeasured: true}
	}
	for i, v := range k.run(t, requests) {
		found := k.differ(made[i], v)
		if found == "" {
			continue
		}
		if k.shown++; k.shown <= 3 {
			t.Errorf("%s:\n%s\nobject %s\nold %s", k.GroupVersionKind, found, requests[i].Object, requests[i].Old)
		}
	}
}

// shows sends the request of a listed difference, if it is of this kind. It must show the difference.
func (k *kind) shows(t *testing.T, d *difference) {
	if d.Request == nil || d.Request.Object["kind"] != k.Kind || d.Request.Object["apiVersion"] != k.GroupVersion().String() {
		return
	}
	r := request{object: decoded(encoded(d.Request.Object)), old: decoded(encoded(d.Request.Old))}
	for _, o := range []map[string]any{r.object, r.old} {
		if o != nil {
			o["metadata"] = map[string]any{"name": "example", "namespace": "default"}
		}
	}
	d.used = false
	if k.compare(t, []request{r}); !d.used {
		t.Errorf("%s: the request of the listed difference at %s does not show it", k.GroupVersionKind, d.Path)
	}
}

// differ returns what the verdicts on a request differ in; "" for nothing.
func (k *kind) differ(r request, v runner.Verdict) string {
	k.counts.requests++
	result := k.evaluated(r)
	if v.Failure != "" || len(result.Malformed) > 0 {
		k.refused++
		return k.unlikeRefusal(r, v, result)
	}
	if found := k.unlikeGo(v.Errors, result); found != "" {
		return found
	}
	if len(v.Errors) > 0 {
		k.ofRules++
	}
	found := k.unlikeSchema(r, result)
	if len(found) == 0 {
		return ""
	}
	// Go does not distinguish a zero value from an absent field, so the schema also gets the objects as Go writes them.
	again := k.unlikeSchema(request{decoded(v.Object), decoded(v.Old)}, result)
	maps.DeleteFunc(found, func(key, _ string) bool { return again[key] == "" })
	maps.DeleteFunc(found, k.isListed)
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintf(&b, "only %s: %s\n", strings.ReplaceAll(key, "\x00", " "), found[key])
	}
	return b.String()
}

// unlikeRefusal compares which objects can be decoded.
func (k *kind) unlikeRefusal(r request, v runner.Verdict, result *eval.Result) string {
	switch {
	case strings.HasPrefix(v.Failure, "panic"):
		return v.Failure
	case v.Failure == "":
		return "Go decodes what the evaluator refuses: " + result.Malformed.ToAggregate().Error()
	case len(result.Malformed) == 0:
		if k.isListed("go\x00\x00"+v.Failure, "") {
			return ""
		}
		return "Go refuses what the evaluator decodes: " + v.Failure
	}
	judged := k.judged(k.schemas, r)
	if len(judged.Errors)+len(judged.OldIgnored) > 0 || r.old != nil {
		return ""
	}
	for _, e := range result.Malformed {
		if !k.isListed("go\x00"+pathOf(e.Field)+"\x00"+v.Failure, "") {
			return "the schema accepts what Go refuses: " + v.Failure
		}
	}
	return ""
}

// unlikeGo compares the errors of the evaluator with those of generated Go, which does not have all rules.
func (k *kind) unlikeGo(want []runner.Error, result *eval.Result) string {
	var got []runner.Error
	for _, e := range result.Errors {
		if !k.isGap(e) {
			got = append(got, described(e))
		}
	}
	if slices.Equal(want, got) {
		return ""
	}
	var b strings.Builder
	for _, e := range want {
		if !slices.Contains(got, e) && !k.hasGapAt(e.Field, result) && !k.isListed("go\x00"+pathOf(e.Field)+"\x00"+e.Text, "") {
			fmt.Fprintf(&b, "only Go: %+v\n", e)
		}
	}
	for _, e := range got {
		if !slices.Contains(want, e) && !k.isListed("evaluator\x00"+pathOf(e.Field)+"\x00"+e.Text, "") {
			fmt.Fprintf(&b, "only the evaluator: %+v\n", e)
		}
	}
	return b.String()
}

// isGap reports whether generated Go does not enforce all of the rule of an error.
func (k *kind) isGap(e eval.Error) bool {
	return slices.ContainsFunc(k.gaps, func(gap source.Span) bool {
		return gap.File == e.Declared.File && e.Declared.Start <= gap.Start && gap.End <= e.Declared.End
	})
}

// hasGapAt reports whether the evaluator has an error at a path whose rule Go only enforces in part.
func (k *kind) hasGapAt(path string, result *eval.Result) bool {
	return slices.ContainsFunc(result.Errors, func(e eval.Error) bool { return described(e).Field == path && k.isGap(e) })
}

func described(e eval.Error) runner.Error {
	d := runner.Error{
		Type: strings.TrimPrefix(string(e.Type), "FieldValue"), Field: e.Field, Origin: e.Origin,
		Level: string(e.Level()), Short: e.ShortCircuit, Text: e.Error.Error(),
	}
	if d.Field == "<nil>" {
		d.Field = "."
	}
	return d
}

// unlikeSchema returns the errors of rules in CEL that only one side reports, by side, path and message. The server runs
// none of these rules on objects that do not satisfy the keywords.
func (k *kind) unlikeSchema(r request, result *eval.Result) map[string]string {
	judged := k.judged(k.schemas, r)
	if judged.Blocked || judged.OldIgnored != "" {
		k.blocked++
		return nil
	}
	if len(judged.Errors) == 0 && len(result.Errors) == 0 {
		k.valid++
	}
	goes, schemas, notEvaluated := map[string]string{}, map[string]string{}, map[string]bool{}
	for _, e := range result.Errors {
		goes[pathOf(e.Field)+"\x00"+e.Detail] = e.Error.Error()
	}
	for _, e := range judged.Errors {
		if e.Rule != nil && !ofKeyword.MatchString(e.Rule.Text) {
			detail := e.Detail
			if _, message, failed := strings.Cut(detail, " evaluating rule: "); failed {
				detail = message // in Go, a rule that cannot be evaluated is broken
				notEvaluated[pathOf(e.Field)+"\x00"+detail] = true
			}
			schemas[pathOf(e.Field)+"\x00"+detail] = e.Error.Error()
		}
	}
	if len(result.Errors) > validate.MaxErrors { // Go lists only the first
		return nil
	}
	all := maps.Clone(schemas)
	if r.old != nil {
		// Go accepts what stays. The server looks at the items of a list that it does not correlate as if the update wrote
		// them, and reports a rule that it cannot evaluate for old values, too.
		for _, e := range k.evaluated(request{object: r.object}).Errors {
			key := pathOf(e.Field) + "\x00" + e.Detail
			if notEvaluated[key] || !correlated(k.shape, e.Field, r.object, r.old) {
				delete(schemas, key)
			}
		}
	}
	found := map[string]string{}
	for key, text := range goes {
		if all[key] == "" {
			found["go\x00"+key] = text
		}
	}
	for key, text := range schemas {
		if goes[key] == "" && len(result.NotRun) == 0 { // the evaluator says which rules it does not run
			found["schema\x00"+key] = text
		}
	}
	return found
}

// correlated reports whether a server finds an old value for each list item on a path.
func correlated(s *shape, path string, object, old any) bool {
	for _, step := range steps.FindAllStringSubmatch(path, -1) {
		name := step[1] + step[2]
		now, isList := object.([]any)
		if s == nil || s.items == nil || !isList {
			s, object, old = s.child(name), at(object, name), at(old, name)
			continue
		}
		before, _ := old.([]any)
		i, err := strconv.Atoi(name)
		if err != nil || i >= len(now) || s.XListType == nil || *s.XListType != "map" {
			return false
		}
		same := func(item any) bool { return sameItem(s, now[i], item) }
		was := slices.IndexFunc(before, same)
		if was < 0 || slices.IndexFunc(before[was+1:], same) >= 0 || slices.IndexFunc(now, same) != i || slices.IndexFunc(now[i+1:], same) >= 0 {
			return false
		}
		s, object, old = s.items, now[i], before[was]
	}
	return !repeats(s, object)
}

// repeats reports whether a list in a value has an item twice. The server takes all values around such a list to have changed.
func repeats(s *shape, value any) bool {
	switch v := value.(type) {
	case map[string]any:
		for name := range v {
			if repeats(s.child(name), v[name]) {
				return true
			}
		}
	case []any:
		for i, item := range v {
			if s != nil && slices.ContainsFunc(v[:i], func(other any) bool { return sameItem(s, item, other) }) || repeats(s.child(""), item) {
				return true
			}
		}
	}
	return false
}

// ofKeyword matches the rules of keywords. All others are in CEL.
var ofKeyword = regexp.MustCompile(`^(required|((ex|in)clusive)?(maximum|minimum)|multipleOf|(max|min)(Length|Items|Properties)|pattern|format|enum|oneOf|anyOf|not|x-kubernetes-list-type)(: |$)`)

// pathOf returns a path in the form of both: keys of maps are written like fields.
func pathOf(path string) string {
	var names []string
	for _, step := range steps.FindAllStringSubmatch(path, -1) {
		names = append(names, step[1]+step[2])
	}
	if path == "<nil>" {
		return ""
	}
	return strings.Join(names, ".")
}

// isListed reports whether a difference is in the list: a side, a path and a message.
func (k *kind) isListed(key, _ string) bool {
	parts := strings.Split(key, "\x00")
	name := append(strings.Split(k.GroupVersion().String(), "/"), k.Kind)
	for _, d := range k.listed {
		if d.Only == parts[0] && matches(strings.Split(d.Kind, "/"), name) && matches(strings.FieldsFunc(d.Path, isDot), strings.FieldsFunc(parts[1], isDot)) &&
			regexp.MustCompile(d.Message).MatchString(parts[2]) {
			d.used = true
			return true
		}
	}
	return false
}

func isDot(r rune) bool { return r == '.' }

func matches(pattern, path []string) bool {
	switch {
	case len(pattern) == 0:
		return len(path) == 0
	case pattern[0] == "**":
		return matches(pattern[1:], path) || len(path) > 0 && matches(pattern, path[1:])
	case len(path) == 0:
		return false
	}
	return (pattern[0] == "*" || pattern[0] == path[0]) && matches(pattern[1:], path[1:])
}

func decoded(text []byte) map[string]any {
	var out map[string]any
	if err := utiljson.Unmarshal(text, &out); err != nil {
		return nil
	}
	return out
}

package ruletest

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

// Outcome is the result of one case.
type Outcome struct {
	Case   *Case
	Passed bool
}

// File returns the path of the case's file.
func (o Outcome) File() string { return o.Case.File() }

// Unbroken is a rule that no case breaks.
type Unbroken struct {
	Engine string
	Kind   schema.GroupVersionKind
	Rule   *verdict.Rule
}

// Summary summarises a run.
type Summary struct {
	Outcomes []Outcome
	Failed   int
	// Rules is the number of rules of the tested kinds.
	Rules int
	// Unbroken are the rules that no case breaks, by engine, kind and position.
	Unbroken []Unbroken
	// NotRun are the rules that apply but that an engine cannot run.
	NotRun []verdict.NotRun
}

// declaration identifies a rule.
type declaration struct {
	text string
	span source.Span
}

func declared(rule *verdict.Rule) declaration { return declaration{rule.Text, rule.Span} }

// Run runs the cases whose names match the filter, if it is not nil, through all engines that have
// the kind. It reports differences from the expected errors. Options are those of cases without their own.
func Run(ctx context.Context, cases []*Case, engines []verdict.Engine, options map[string]bool, filter *regexp.Regexp, bag *diag.Bag) *Summary {
	var selected []*Case
	for _, c := range cases {
		if filter == nil || filter.MatchString(c.Name) {
			selected = append(selected, c)
		}
	}
	r := NewRunner(selected, engines, bag)
	r.Options = options
	for _, c := range selected {
		r.Run(ctx, c, bag)
	}
	return r.Summary()
}

// Kinds returns the kinds that cases are about.
func Kinds(cases []*Case) []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	for _, c := range cases {
		if c.Object != nil && !slices.Contains(kinds, c.Object.Kind) {
			kinds = append(kinds, c.Object.Kind)
		}
	}
	return kinds
}

// Runner runs cases one by one.
type Runner struct {
	// Options are those of cases without their own.
	Options map[string]bool

	engines []verdict.Engine
	summary *Summary
	broken  map[declaration]bool
	seen    map[string][]schema.GroupVersionKind // kinds by engine
}

// NewRunner returns a runner. It reports mistakes in the rules of the cases' kinds.
func NewRunner(cases []*Case, engines []verdict.Engine, bag *diag.Bag) *Runner {
	for _, e := range engines {
		e.Prepare(Kinds(cases), bag)
	}
	return &Runner{engines: engines, summary: &Summary{}, broken: map[declaration]bool{}, seen: map[string][]schema.GroupVersionKind{}}
}

// Run runs a case through all engines that know its kind, and reports what is not as
// expected.
func (r *Runner) Run(ctx context.Context, c *Case, bag *diag.Bag) {
	before := bag.Errors()
	(&run{Runner: r, bag: bag}).runCase(ctx, c)
	passed := bag.Errors() == before
	if !passed {
		r.summary.Failed++
	}
	r.summary.Outcomes = append(r.summary.Outcomes, Outcome{Case: c, Passed: passed})
}

// Summary returns what the runner has done.
func (r *Runner) Summary() *Summary {
	r.summary.Rules, r.summary.Unbroken = 0, nil
	r.unbroken()
	return r.summary
}

// run is the run of one case.
type run struct {
	*Runner
	bag *diag.Bag
}

func (r *run) runCase(ctx context.Context, c *Case) {
	known, before := false, r.bag.Errors()
	verdicts := map[string][]string{}
	for _, e := range r.engines {
		if !slices.Contains(e.Kinds(), c.Object.Kind) {
			continue
		}
		known = true
		if c.Options != nil && e.Name() == verdict.Schema {
			continue
		}
		if !slices.Contains(r.seen[e.Name()], c.Object.Kind) {
			r.seen[e.Name()] = append(r.seen[e.Name()], c.Object.Kind)
		}
		request := verdict.Request{Kind: c.Object.Kind, Object: c.Object.Value, Options: c.Options}
		if request.Options == nil {
			request.Options = r.Options
		}
		if c.Old != nil {
			request.Old = c.Old.Value
		}
		result := e.Validate(ctx, request)
		r.compare(c, e, result)
		if result.Refused == "" {
			verdicts[e.Name()] = c.common(result.Errors)
		}
	}
	if known && r.bag.Errors() == before {
		r.difference(c, verdicts)
	}
	if !known {
		var kinds []schema.GroupVersionKind
		for _, e := range r.engines {
			kinds = append(kinds, e.Kinds()...)
		}
		// Cases with one base have one mistake.
		once := diag.About("kind", verdict.KindText(c.Object.Kind))
		r.failf(c, nil, c.name, codeUnknownKind, "%s", verdict.Undefined(c.Object.Kind, kinds)).RestsOn(once).Voids(once)
	}
}

// common returns the path and type of each error that is expected of all engines.
func (c *Case) common(errs []verdict.Error) []string {
	list := []string{}
	for _, err := range errs {
		if slices.ContainsFunc(c.Expect, func(e Expected) bool { return e.Engine != "" && e.Path == pathOf(err) }) {
			continue
		}
		text := strings.TrimSpace(pathOf(err) + " " + shortType(err.Type))
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	slices.Sort(list)
	return list
}

// difference reports that engines disagree about a case that passes, because the case does not
// specify the errors completely.
func (r *run) difference(c *Case, verdicts map[string][]string) {
	names := slices.Sorted(maps.Keys(verdicts))
	var texts []string
	differ := false
	for _, name := range names {
		differ = differ || !slices.Equal(verdicts[name], verdicts[names[0]])
		texts = append(texts, fmt.Sprintf("%s has %s", name, strings.Join(verdicts[name], ", ")))
	}
	if differ {
		r.bag.Warnf(c.name, codeEnginesDiffer, "case %q passes, but the engines differ: %s", c.Name, strings.Join(texts, "; "))
	}
}

// failf reports a failure of a case, with the engine if there are several.
func (r *run) failf(c *Case, e verdict.Engine, at source.Span, code diag.Code, format string, args ...any) *diag.Diagnostic {
	message := fmt.Sprintf("case %q: ", c.Name) + fmt.Sprintf(format, args...)
	if e != nil && len(r.engines) > 1 {
		message += " (engine: " + e.Name() + ")"
	}
	d := r.bag.Errorf(at, code, "%s", message)
	d.Properties = []diag.Property{{Name: "case", Value: c.Name}}
	if e != nil {
		d.Properties = append(d.Properties, diag.Property{Name: "engine", Value: e.Name()})
	}
	return d
}

// compare compares a verdict with the expected errors of the case.
func (r *run) compare(c *Case, e verdict.Engine, result verdict.Result) {
	if result.OldIgnored != "" {
		r.failf(c, e, c.name, codeOldIgnored, "the old object is not used: %s", result.OldIgnored)
	}
	for _, path := range result.Unknown {
		r.failf(c, e, c.placeOf(canonical(path)), codeUnknown, "unknown field %s%s", path, result.DidYouMean(path)).Voids(c.fields())
	}
	for _, rule := range result.NotRun {
		if !slices.Contains(r.summary.NotRun, rule) {
			r.summary.NotRun = append(r.summary.NotRun, rule)
		}
	}
	expected := slices.DeleteFunc(slices.Clone(c.Expect), func(want Expected) bool { return !want.concerns(e) })
	if result.Refused != "" {
		// The engine does not know the path.
		if len(expected) == 0 {
			r.failf(c, e, c.name, codeUnexpected, "unexpected error: %s", result.Refused)
		}
		return
	}
	matched := make([]bool, len(result.Errors))
	for _, want := range expected {
		if !r.match(want, result.Errors, matched) {
			r.missing(c, e, want, result, matched)
		}
	}
	for i, err := range result.Errors {
		if matched[i] {
			continue
		}
		d := r.failf(c, e, c.placeOf(pathOf(err)), codeUnexpected, "unexpected error: %s", errorText(err))
		noteRule(d, err)
	}
}

// concerns reports whether the engine is expected to report the error. Generated Go is of
// the same Go types that the engine of types is of.
func (want *Expected) concerns(e verdict.Engine) bool {
	return want.Engine == "" || want.Engine == e.Name() || want.Engine == verdict.Types && e.Name() == verdict.Go
}

// match marks the errors that match an expectation, and reports whether there is one.
func (r *run) match(want Expected, errs []verdict.Error, matched []bool) bool {
	found := false
	for i, err := range errs {
		if pathOf(err) != want.Path || want.Type != "" && want.Type != err.Type || !strings.Contains(err.ErrorBody(), want.Message) {
			continue
		}
		found, matched[i] = true, true
		if err.Rule != nil {
			r.broken[declared(err.Rule)] = true
		}
	}
	return found
}

// missing reports that an expected error was not reported. It mentions an error at the same path,
// which is probably the intended one.
func (r *run) missing(c *Case, e verdict.Engine, want Expected, result verdict.Result, matched []bool) {
	for i, err := range result.Errors {
		if matched[i] || pathOf(err) != want.Path {
			continue
		}
		matched[i] = true
		what := fmt.Sprintf("expected the type %s, got %s", shortType(want.Type), shortType(err.Type))
		if want.Type == "" || want.Type == err.Type {
			what = fmt.Sprintf("expected a message with %q", want.Message)
		}
		d := r.failf(c, e, want.span, codeDifferent, "%s: %s", what, errorText(err))
		noteRule(d, err)
		return
	}
	paths := map[string]int{}
	for i, err := range result.Errors {
		if !matched[i] {
			paths[pathOf(err)] = i
		}
	}
	if near := spell.Nearest(want.Path, slices.Sorted(maps.Keys(paths))); near != "" {
		matched[paths[near]] = true
		err := result.Errors[paths[near]]
		noteRule(r.failf(c, e, want.span, codeMissing, "expected an error at %s, got one at another path; did you mean %s? %s", want.Path, near, errorText(err)), err)
		return
	}
	at := want.Path
	if at == "" {
		at = "the object itself"
	}
	d := r.failf(c, e, want.span, codeMissing, "expected an error at %s, got none", at).RestsOn(c.fields())
	if result.Blocked {
		d.Notes = append(d.Notes, diag.Note{Message: "some rules did not run because of other errors"})
	}
	for _, rule := range result.NotRun {
		d.Note(rule.Span, "the engine does not run %s: %s", rule.Text, rule.Reason)
	}
}

func noteRule(d *diag.Diagnostic, err verdict.Error) {
	if err.Rule != nil {
		d.Note(err.Rule.Span, "declared as %s", err.Rule.Text)
	}
}

// pathOf returns the canonical path of an error.
func pathOf(err verdict.Error) string {
	if err.Field == "<nil>" || err.Field == "" {
		return ""
	}
	return canonical(err.Field)
}

func errorText(err verdict.Error) string {
	if path := pathOf(err); path != "" {
		return err.Field + ": " + err.ErrorBody()
	}
	return err.ErrorBody()
}

func shortType(t field.ErrorType) string { return strings.TrimPrefix(string(t), "FieldValue") }

// fields is the fact that the object of the case has the fields that the author means.
func (c *Case) fields() diag.Fact { return diag.About("fields", c.name.String()) }

// placeOf returns the position of a path in the case: the value itself, a change that sets it, or
// the name of the case.
func (c *Case) placeOf(path string) source.Span {
	if c.inline != nil {
		return c.inline.Locate(path).Span
	}
	best, at := "", c.name
	for _, change := range c.changes {
		if (within(path, change.path) || within(change.path, path)) && len(change.path) >= len(best) {
			best, at = change.path, change.place
		}
	}
	return at
}

// unbroken collects the rules that no case breaks.
func (r *Runner) unbroken() {
	listed := map[declaration]bool{}
	for _, e := range r.engines {
		for _, kind := range r.seen[e.Name()] {
			for _, rule := range e.Rules(kind) {
				if listed[declared(rule)] {
					continue
				}
				listed[declared(rule)] = true
				r.summary.Rules++
				if !r.broken[declared(rule)] {
					r.summary.Unbroken = append(r.summary.Unbroken, Unbroken{Engine: e.Name(), Kind: kind, Rule: rule})
				}
			}
		}
	}
	slices.SortStableFunc(r.summary.Unbroken, func(a, b Unbroken) int { return a.Rule.Span.Compare(b.Rule.Span) })
}

// Report adds the rules that no case breaks to the diagnostics.
func (s *Summary) Report(severity diag.Severity, bag *diag.Bag) {
	for _, u := range s.Unbroken {
		bag.Add(&diag.Diagnostic{
			Severity: severity, Code: codeUnbroken, Span: u.Rule.Span, Message: "no case breaks this rule: " + u.String(),
			Properties: []diag.Property{{Name: "kind", Value: u.Kind.Kind}, {Name: "apiVersion", Value: u.Kind.GroupVersion().String()}, {Name: "path", Value: u.Rule.Path}, {Name: "rule", Value: u.Rule.Text}},
		})
	}
}

// String names the rule with its kind and field.
func (u Unbroken) String() string {
	at := u.Kind.Kind
	if u.Rule.Path != "" {
		at += " " + u.Rule.Path
	}
	return at + ": " + u.Rule.Text
}

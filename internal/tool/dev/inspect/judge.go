package inspect

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

// Problem is a mistake in a manifest.
type Problem struct {
	// Path is the field, "" for the whole object or text.
	Path string `json:"path"`
	// Message says what is wrong, without the field.
	Message string `json:"message"`
	// Range is the text of the manifest with the mistake.
	Range Range `json:"range"`
	// Missing is set if the manifest does not set the field. The range is then that of what is around it.
	Missing bool `json:"missing"`
	// Rule is the broken rule as written, "" if it is not known. Declared is where it is.
	Rule     string `json:"rule"`
	Declared *Place `json:"declared"`
	// Server and Rules say who reports it: the API server, and the rules in this process.
	Server bool `json:"server"`
	Rules  bool `json:"rules"`

	// judged is set if the problem is that of a value, and not of the text.
	judged bool
}

// Range is a part of a text. Lines and columns count from 1, columns in UTF-16, as in browsers.
type Range struct {
	Line      int `json:"line"`
	Column    int `json:"column"`
	EndLine   int `json:"endLine"`
	EndColumn int `json:"endColumn"`
}

func rangeOf(span source.Span) Range {
	if span.IsZero() {
		return Range{1, 1, 1, 1}
	}
	start, end := span.Position(), span.EndPosition()
	return Range{start.Line, column(span.File, start), end.Line, column(span.File, end)}
}

func column(file *source.File, p source.Position) int {
	line := file.Line(p.Line)
	return len(utf16.Encode([]rune(line[:min(p.Column-1, len(line))]))) + 1
}

// Verdict is what the rules say about a manifest.
type Verdict struct {
	// Objects are the objects in words, such as "Order first".
	Objects  []string  `json:"objects"`
	Problems []Problem `json:"problems"`
	// NotChecked are the rules and functions that only Go code runs.
	NotChecked []string `json:"notChecked"`
	// Steps are the steps of the first object.
	Steps []Step `json:"steps"`
}

// Step is an object after a step.
type Step struct {
	// Title says what has happened, and From who knows it: client, rules or server.
	Title string `json:"title"`
	From  string `json:"from"`
	// Text is the object as YAML; "" if it is as before, or not known.
	Text string `json:"text"`
	// Note says more; it may be empty. Refused is why the step ends the request; "" if it does not.
	Note    string `json:"note"`
	Refused string `json:"refused"`

	value map[string]any
	// after is set for the steps of the rules that come after admission.
	after bool
}

// Old returns the object before a change; nil if there is none.
type Old func(o *manifest.Object) map[string]any

// Judge judges a manifest. Old may be nil.
func (a *API) Judge(text string, old Old) *Verdict {
	v := &Verdict{Objects: []string{}, Problems: []Problem{}, NotChecked: []string{}, Steps: []Step{}}
	bag := &diag.Bag{}
	for _, doc := range manifest.Parse(source.NewFile("manifest", []byte(text)), bag) {
		doc.Root.Duplicates(func(d manifest.Duplicate) {
			v.Problems = append(v.Problems, Problem{Path: d.Path, Message: "is repeated; only the last value is used", Range: rangeOf(d.Key), Rules: true})
		})
		for _, o := range doc.Objects(bag) {
			var before map[string]any
			if old != nil {
				before = old(o)
			}
			v.Objects = append(v.Objects, o.String())
			a.judge(v, o, o.Value, before)
		}
	}
	for _, d := range bag.All() {
		v.Problems = append(v.Problems, Problem{Message: d.Message, Range: rangeOf(d.Span), Rules: true})
	}
	v.sort()
	return v
}

func (v *Verdict) sort() {
	slices.SortStableFunc(v.Problems, func(a, b Problem) int {
		if a.Range.Line != b.Range.Line {
			return a.Range.Line - b.Range.Line
		}
		return a.Range.Column - b.Range.Column
	})
}

// judge judges a value whose text is that of a manifest's object.
func (a *API) judge(v *Verdict, o *manifest.Object, value, old map[string]any) {
	kind := a.Of(o.Kind)
	switch {
	case kind == nil:
		v.NotChecked = append(v.NotChecked, "the rules of "+verdict.KindText(o.Kind)+", which is not a kind of these packages")
		return
	case !kind.Has(o.Kind.Version):
		v.Problems = append(v.Problems, Problem{Path: "apiVersion", Message: verdict.Undefined(o.Kind, a.engine.Kinds()), Range: rangeOf(o.Root.Locate("apiVersion").Span), Rules: true})
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	steps, result := a.engine.Trace(verdict.Request{Kind: o.Kind, Object: value, Old: old})
	v.judged(o, result)
	for _, path := range result.Unknown {
		v.Problems = append(v.Problems, Problem{Path: path, Message: "unknown field" + result.DidYouMean(path), Range: rangeOf(o.Root.LocateKey(path)), Rules: true})
	}
	for _, n := range result.NotRun {
		if !slices.Contains(v.NotChecked, n.Text) {
			v.NotChecked = append(v.NotChecked, n.Text)
		}
	}
	for _, option := range result.Assumed {
		v.NotChecked = append(v.NotChecked, "rules that depend on "+option)
	}
	if len(v.Steps) == 0 {
		v.Steps = a.steps(o.Kind, value, steps, result.Unknown)
	}
}

// judged adds the errors of a value.
func (v *Verdict) judged(o *manifest.Object, result verdict.Result) {
	for _, err := range result.Errors {
		v.Problems = append(v.Problems, problem(o, err))
	}
}

// problem returns a validation error at its place.
func problem(o *manifest.Object, err verdict.Error) Problem {
	path := err.Field
	if path == "<nil>" {
		path = ""
	}
	p := locate(o, path)
	p.Message, p.Rules, p.judged = err.ErrorBody(), true, true
	p.Missing = p.Missing && err.Type != field.ErrorTypeForbidden
	if err.Rule != nil {
		p.Rule, p.Declared = err.Rule.Text, placeOf(err.Rule.Span)
	}
	return p
}

// locate returns a problem of a field.
func locate(o *manifest.Object, path string) Problem {
	place := o.Root.Locate(path)
	span := place.Span
	if !place.Found { // the key of what is around says more than a whole block
		span = o.Root.LocateKey(path)
	}
	if span.IsZero() {
		span = place.Span
	}
	return Problem{Path: path, Range: rangeOf(span), Missing: !place.Found}
}

// near reports whether one path is that of the other, or of a value around it.
func near(a, b string) bool {
	in := func(inner, outer string) bool {
		rest, ok := strings.CutPrefix(inner, outer)
		return ok && (outer == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
	}
	a, b = canonical(a), canonical(b)
	return in(a, b) || in(b, a)
}

// canonical returns a path as API servers write most of them: keys of maps after a dot.
func canonical(path string) string {
	path = strings.TrimPrefix(path, ".")
	var out strings.Builder
	for path != "" {
		before, rest, found := strings.Cut(path, "[")
		key, after, closed := strings.Cut(rest, "]")
		out.WriteString(before)
		switch _, err := strconv.Atoi(key); {
		case !found || !closed:
			return out.String() + strings.TrimPrefix(path, before)
		case err == nil:
			out.WriteString("[" + key + "]")
		default:
			out.WriteString("." + key)
		}
		path = after
	}
	return out.String()
}

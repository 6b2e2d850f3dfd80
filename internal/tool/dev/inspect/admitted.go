package inspect

import (
	"net/http"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/tool/dev/requests"
)

// admitted has the objects of an API server that reports the steps of admission, and those of the rules at the same moments.
// Those that are not known are nil.
type admitted struct {
	// before is the object before admission, and defaulted that of the rules.
	before, defaulted map[string]any
	// validated is the object that validating plugins get. normalized is that of the rules, made of the object after mutation.
	validated, normalized map[string]any
}

// admitted puts what the API server has reported of admission between the steps of the rules, and makes the rules judge the object
// after mutation. It returns nil if nothing was reported.
func (a *API) admitted(d *Detail, in *manifest.Object, old map[string]any) *admitted {
	if len(d.Steps) == 0 {
		return nil
	}
	out := &admitted{}
	steps := slices.DeleteFunc(d.Verdict.Steps, func(s Step) bool { return s.after })
	for _, s := range steps {
		out.defaulted = s.value
	}
	reported, mutated := out.reported(d.Steps)
	steps = append(steps, reported...)
	if mutated != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		trace, result := a.engine.Trace(verdict.Request{Kind: in.Kind, Object: mutated, Old: old})
		d.Verdict.Problems = slices.DeleteFunc(d.Verdict.Problems, func(p Problem) bool { return p.judged })
		d.Verdict.judged(in, result)
		if out.validated != nil {
			mutated = out.validated
			for _, t := range trace {
				out.normalized = t.Object
			}
		}
		if k := a.Of(in.Kind); d.Code < http.StatusBadRequest && k.Stored() != "" && k.Stored() != in.Kind.Version {
			steps = append(steps, a.converted(in.Kind, k.Stored(), mutated))
		}
	}
	d.Verdict.Steps = steps
	return out
}

// begins has the title of each phase of admission. passed begins the note with the plugins that changed nothing, or accepted the
// object.
var (
	begins = map[string]string{requests.Mutate: "Before admission", requests.Validate: "At validation"}
	passed = map[string]string{requests.Mutate: "No change by ", requests.Validate: "Accepted by "}
)

// reported returns the steps that an API server has reported, and the object after mutation.
func (out *admitted) reported(list []requests.Step) (steps []Step, mutated map[string]any) {
	begin := -1
	pass := map[string][]string{}
	for _, r := range list {
		if r.First {
			object := decodedStep(r.Before)
			if r.Phase == requests.Mutate {
				out.before, mutated = object, object
			} else {
				out.validated = object
			}
			begin = len(steps)
			steps = append(steps, step(begins[r.Phase], Server, object))
		}
		after := decodedStep(r.After)
		if after == nil && r.Error == "" && len(r.Webhooks) == 0 {
			if begin >= 0 && !slices.Contains(pass[r.Phase], r.Plugin) {
				pass[r.Phase] = append(pass[r.Phase], r.Plugin)
				steps[begin].Note = passed[r.Phase] + strings.Join(pass[r.Phase], ", ") + "."
			}
			continue
		}
		s := Step{Title: r.Plugin, From: Server, Note: called(r.Webhooks), Refused: r.Error}
		if r.Again {
			s.Title += ", again"
		}
		if after != nil {
			s = Step{Title: s.Title, From: s.From, Note: s.Note, Refused: s.Refused, Text: YAML(written(after)), value: after}
			if r.Phase == requests.Mutate {
				mutated = after
			}
		}
		steps = append(steps, s)
	}
	return steps, mutated
}

// decodedStep returns an object of a step; nil for none.
func decodedStep(text []byte) map[string]any {
	value, err := Decode(text)
	if err != nil {
		return nil
	}
	return value
}

// oldOf returns the object that a request changes, if the API server has reported it.
func oldOf(r requests.Request) map[string]any {
	if len(r.Steps) == 0 {
		return nil
	}
	return decodedStep(r.Steps[0].Old)
}

// called says in words what webhooks have done.
func called(webhooks []requests.Webhook) string {
	var parts []string
	for _, w := range webhooks {
		does := "changes nothing"
		if w.Changed {
			does = "changes the object"
		}
		parts = append(parts, "the webhook "+w.Name+" of "+w.Configuration+" "+does)
	}
	if len(parts) == 0 {
		return ""
	}
	text := strings.Join(parts, "; ") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}

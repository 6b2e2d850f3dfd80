package inspect_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/tool/dev/inspect"
	"github.com/kindsmith/kindsmith/internal/tool/dev/requests"
)

// TestAdmitted checks what is made of the steps that an API server reports.
func TestAdmitted(t *testing.T) {
	a := api(t)
	// defaulted is the valid object with its defaults, and with returns it with another value of a field of spec.
	defaulted := object(t, a.Judge(valid, nil).Steps[1].Text)
	with := func(field string, value any) map[string]any {
		o := maps.Clone(defaulted)
		spec := maps.Clone(o["spec"].(map[string]any))
		spec[field] = value
		o["spec"] = spec
		return o
	}
	text := func(o map[string]any) json.RawMessage {
		if o == nil {
			return nil
		}
		out, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	mutate := func(plugin string, before, after map[string]any) requests.Step {
		return requests.Step{Plugin: plugin, Phase: requests.Mutate, First: before != nil, Before: text(before), After: text(after)}
	}
	validate := func(plugin string, before map[string]any, refusal string) requests.Step {
		return requests.Step{Plugin: plugin, Phase: requests.Validate, First: before != nil, Before: text(before), Error: refusal}
	}
	hook := mutate("Webhook", nil, with("replicas", int64(3)))
	hook.Webhooks = []requests.Webhook{{Name: "w", Configuration: "c", Changed: true}, {Name: "v", Configuration: "c"}}
	again := mutate("Policy", nil, with("replicas", int64(4)))
	again.Again = true
	bad := valid + "  replicas: 99\n"
	for name, test := range map[string]struct {
		sent   string
		code   int
		answer map[string]any
		steps  []requests.Step
		// want are the titles of the steps from admission on, with notes and refusals, and differs is the beginning of what differs.
		want    []string
		differs string
		// problems are the paths of problems, with their lines, and * for those that the rules report.
		problems []string
	}{
		"no change": {
			valid, 201, defaulted, []requests.Step{mutate("Lifecycle", defaulted, nil), mutate("Quota", nil, nil), validate("Policy", defaulted, "")},
			[]string{"Before admission: No change by Lifecycle, Quota.", "At validation: Accepted by Policy.", "As answered"}, "", nil,
		},
		"a webhook changes a field": {
			valid, 201, with("replicas", int64(3)),
			[]requests.Step{mutate("Lifecycle", defaulted, nil), hook, validate("Policy", with("replicas", int64(3)), "")},
			[]string{
				"Before admission: No change by Lifecycle.", "Webhook: The webhook w of c changes the object; the webhook v of c changes nothing.",
				"At validation: Accepted by Policy.", "As answered",
			}, "", nil,
		},
		"a plugin runs again": {
			valid, 201, with("replicas", int64(4)), []requests.Step{mutate("Policy", defaulted, with("replicas", int64(3))), again, validate("Policy", with("replicas", int64(4)), "")},
			[]string{"Before admission", "Policy", "Policy, again", "At validation: Accepted by Policy.", "As answered"}, "", nil,
		},
		"a policy refuses": {
			valid, 422, map[string]any{"kind": "Status", "code": 422, "message": "no"},
			[]requests.Step{mutate("Lifecycle", defaulted, nil), validate("Quota", defaulted, ""), validate("Policy", nil, "not on Fridays")},
			[]string{"Before admission: No change by Lifecycle.", "At validation: Accepted by Quota.", "Policy! not on Fridays"}, "", nil,
		},
		"another default": {
			valid, 201, with("replicas", int64(5)), []requests.Step{mutate("Lifecycle", with("replicas", int64(5)), nil), validate("Policy", with("replicas", int64(5)), "")},
			[]string{"Before admission: No change by Lifecycle.", "At validation: Accepted by Policy.", "As answered"},
			"spec.replicas is 5 at the API server before admission, and", nil,
		},
		"another object is validated": {
			valid, 201, with("replicas", int64(5)), []requests.Step{mutate("Lifecycle", defaulted, nil), validate("Policy", with("replicas", int64(5)), "")},
			[]string{"Before admission: No change by Lifecycle.", "At validation: Accepted by Policy.", "As answered"},
			"spec.replicas is 5 at the API server at validation, and", nil,
		},
		"a webhook breaks a rule": {
			valid, 422, status("spec.replicas", "Invalid value: 99: too large"), []requests.Step{mutate("Webhook", defaulted, with("replicas", int64(99)))},
			[]string{"Before admission", "Webhook"}, "", []string{"spec.replicas*"},
		},
		"a webhook mends a value": {
			bad, 201, with("replicas", int64(3)), []requests.Step{mutate("Webhook", with("replicas", int64(99)), with("replicas", int64(3))), validate("Policy", with("replicas", int64(3)), "")},
			[]string{"Before admission", "Webhook", "At validation: Accepted by Policy.", "As answered"}, "", nil,
		},
		"the rules refuse what is accepted": {
			bad, 201, with("replicas", int64(99)), []requests.Step{mutate("Quota", with("replicas", int64(99)), nil), validate("Policy", with("replicas", int64(99)), "")},
			[]string{"Before admission: No change by Quota.", "At validation: Accepted by Policy.", "As answered"}, "the API server accepts the object, and the rules refuse spec.replicas", []string{"spec.replicas*"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := sent("POST", "application/json", jsonOf(t, test.sent), test.code, test.answer)
			r.Steps = test.steps
			d := a.Request(r, nil)
			if got := words(d.Verdict.Steps[2:]); d.Verdict.Steps[1].Title != "Defaults set" || !slices.Equal(got, test.want) {
				t.Errorf("the steps are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if got := strings.Join(d.Differences, "\n"); test.differs == "" && got != "" || !strings.HasPrefix(got, test.differs) {
				t.Errorf("differs: %q, want %q", got, test.differs)
			}
			var problems []string
			for _, p := range d.Verdict.Problems {
				name := p.Path
				if p.Rules {
					name += "*"
				}
				if p.Rules && (p.Rule == "" || p.Declared == nil) {
					t.Errorf("%s has no rule", name)
				}
				problems = append(problems, name)
			}
			if !slices.Equal(problems, test.problems) {
				t.Errorf("the problems are %q, want %q", problems, test.problems)
			}
		})
	}
}

func words(steps []inspect.Step) (list []string) {
	for _, s := range steps {
		word := s.Title
		if s.Note != "" {
			word += ": " + s.Note
		}
		if s.Refused != "" {
			word += "! " + s.Refused
		}
		list = append(list, word)
	}
	return list
}

// TestAdmittedPatch explains requests whose object only the API server knows.
func TestAdmittedPatch(t *testing.T) {
	a := api(t)
	object := func(field, value string) json.RawMessage {
		o := object(t, valid)
		o["spec"].(map[string]any)[field] = value
		text, _ := json.Marshal(o)
		return text
	}
	immutable := status("spec.engine", "Invalid value: field is immutable")
	r := sent("PATCH", "application/json-patch+json", `[{"op":"replace","path":"/spec/engine","value":"MySQL"}]`, 422, immutable)
	none := func(*manifest.Object) map[string]any { return nil }
	if d := a.Request(r, none); d.Form != inspect.Other || len(d.Verdict.Steps) > 0 || len(d.Verdict.Problems) > 0 {
		t.Errorf("without reported steps: %+v", d.Verdict)
	}
	r.Steps = []requests.Step{{Plugin: "Quota", Phase: requests.Mutate, First: true, Old: object("engine", "Postgres"), Before: object("engine", "MySQL")}}
	d := a.Request(r, none)
	if len(d.Verdict.Problems) != 1 || d.Verdict.Problems[0].Rule != "+k8s:immutable" || !d.Verdict.Problems[0].Server || d.Verdict.Problems[0].Missing || len(d.Differences) > 0 {
		t.Errorf("%+v %q", d.Verdict.Problems, d.Differences)
	}
	if got := words(d.Verdict.Steps); !slices.Equal(got, []string{"Before admission: No change by Quota."}) {
		t.Errorf("%q", got)
	}
	deleted := sent("DELETE", "", "", 403, map[string]any{"kind": "Status", "code": 403, "message": "no"})
	deleted.Verb = "delete"
	deleted.Steps = []requests.Step{{Plugin: "Lifecycle", Phase: requests.Mutate, First: true}, {Plugin: "Policy", Phase: requests.Validate, First: true, Error: "keep it"}}
	d = a.Request(deleted, none)
	if got := words(d.Verdict.Steps); !slices.Equal(got, []string{"Before admission: No change by Lifecycle.", "At validation", "Policy! keep it"}) || len(d.Differences) > 0 {
		t.Errorf("a deletion: %q %q", got, d.Differences)
	}
}

// TestPartial checks that fields of others are no differences: server-side apply sends only those of one manager.
func TestPartial(t *testing.T) {
	a := api(t)
	answer := object(t, a.Judge(valid+"  replicas: 3\n", nil).Steps[2].Text)
	live := func(*manifest.Object) map[string]any { return object(t, valid+"  replicas: 3\n") }
	if d := a.Request(sent("PATCH", "application/apply-patch+yaml", valid, 200, answer), live); len(d.Differences) > 0 {
		t.Errorf("%q", d.Differences)
	}
	if d := a.Request(sent("PATCH", "application/apply-patch+yaml", valid, 201, answer), nil); len(d.Differences) != 1 {
		t.Errorf("of a new object: %q", d.Differences)
	}
	patch := `{"spec":{"replicas":3}}`
	if d := a.Request(sent("PATCH", "application/merge-patch+json", patch, 200, answer), func(*manifest.Object) map[string]any { return nil }); slices.ContainsFunc(d.Differences, func(s string) bool {
		return strings.Contains(s, "at the API server")
	}) {
		t.Errorf("the object of before is not known: %q", d.Differences)
	}
}

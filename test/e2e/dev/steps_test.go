package dev

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// policies are one that refuses orders with a name, and one that changes the size of those with another.
const policies = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: names}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [shop.example.com], apiVersions: ["*"], resources: [orders], operations: [CREATE, UPDATE]}
  validations:
  - {expression: "object.metadata.name != 'refused'", message: "no order has this name"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: names}
spec: {policyName: names, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: sizes}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [shop.example.com], apiVersions: [v1], resources: [orders], operations: [CREATE, UPDATE]}
  matchConditions:
  - {name: named, expression: "object.metadata.name == 'mutated'"}
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/size', value: 42}]"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: sizes}
spec: {policyName: sizes}
`

// TestSteps sees what admission does with requests: a policy that refuses one, and a policy that changes one.
func TestSteps(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	s := p.dev("./api/...")
	w := s.workbench()
	if state, _ := w.gets("state", func(shown) bool { return true }); !state.Reports {
		t.Fatal("the server does not report the steps of admission")
	}
	s.kubectl(policies, "apply", "-f", "-")
	// create creates an order until the policies are there, and returns the request with its details.
	create := func(object string, ended func(shown) bool) shown {
		t.Helper()
		for limit := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
			_, _ = s.try(object, "create", "-f", "-", "--dry-run=server")
			r, _ := w.gets("request", func(r shown) bool { return r.Done && r.Verb == "create" && r.Resource == "orders" })
			var d shown
			w.call("GET", "requests/"+id(r.ID), nil, &d)
			if ended(d) {
				return d
			}
			if time.Now().After(limit) {
				t.Fatalf("%s: %+v", object, d)
			}
		}
	}
	step := func(d shown, title string) (i int) {
		return slices.IndexFunc(d.Verdict.Steps, func(s struct{ Title, From, Text, Note, Refused string }) bool { return s.Title == title })
	}
	check := func(d shown, titles ...string) {
		t.Helper()
		at := -1
		for _, title := range titles {
			i := step(d, title)
			if i <= at {
				t.Errorf("%s is not after the step before it: %+v", title, d.Verdict.Steps)
			}
			at = i
		}
		if len(d.Differences) > 0 {
			t.Errorf("%q", d.Differences)
		}
	}

	refused := create(order("v1", "refused", 3), func(d shown) bool { return d.Rejected && step(d, "ValidatingAdmissionPolicy") >= 0 })
	check(refused, "As sent", "Defaults set", "Before admission", "At validation", "ValidatingAdmissionPolicy")
	if last := refused.Verdict.Steps[len(refused.Verdict.Steps)-1]; last.From != "server" || !strings.Contains(last.Refused, "no order has this name") || !strings.Contains(last.Refused, "'names'") {
		t.Errorf("%+v", last)
	}
	if first := refused.Verdict.Steps[step(refused, "Before admission")]; !strings.Contains(first.Note, "NamespaceLifecycle") || !strings.Contains(first.Text, "size: 3") || strings.Contains(first.Text, "managedFields") {
		t.Errorf("%+v", first)
	}

	mutated := create(order("v1", "mutated", 3), func(d shown) bool { return !d.Rejected && step(d, "MutatingAdmissionPolicy") >= 0 }) // a new policy may not find the kind yet
	check(mutated, "As sent", "Before admission", "MutatingAdmissionPolicy", "At validation", "As answered")
	for title, size := range map[string]int{"Before admission": 3, "MutatingAdmissionPolicy": 42, "At validation": 42, "As answered": 42} {
		if s := mutated.Verdict.Steps[step(mutated, title)]; s.From != "server" || !strings.Contains(s.Text, fmt.Sprintf("size: %d\n", size)) {
			t.Errorf("%s: %+v", title, s)
		}
	}

	// The schema refuses it before plugins validate it. A merge patch and an older version are explained as well.
	invalid := create(order("v1", "large", 101), func(d shown) bool { return d.Code == 422 })
	check(invalid, "As sent", "Before admission")
	if step(invalid, "At validation") >= 0 || len(invalid.Verdict.Problems) != 1 || !invalid.Verdict.Problems[0].Server || !invalid.Verdict.Problems[0].Rules {
		t.Errorf("%+v", invalid.Verdict)
	}
	s.kubectl(order("v1", "first", 3), "create", "-f", "-")
	for _, change := range [][]string{
		{"--type=merge", "-p", `{"spec":{"count":4}}`}, {"--type=json", "-p", `[{"op":"replace","path":"/spec/count","value":5}]`},
	} {
		s.kubectl("", append([]string{"patch", "orders.v1beta1.shop.example.com", "first"}, change...)...)
		r, _ := w.gets("request", func(r shown) bool { return r.Done && r.Verb == "patch" })
		var d shown
		w.call("GET", "requests/"+id(r.ID), nil, &d)
		check(d, "Before admission", "At validation", "Converted to v1")
		if i := step(d, "Before admission"); !strings.Contains(d.Verdict.Steps[i].Text, "count: ") {
			t.Errorf("%+v", d.Verdict.Steps[i])
		}
	}
	s.kubectl("", "delete", "order", "first")
	r, _ := w.gets("request", func(r shown) bool { return r.Done && r.Verb == "delete" })
	var d shown
	w.call("GET", "requests/"+id(r.ID), nil, &d)
	check(d, "Before admission", "At validation")
	s.interrupt()
}

package conformance_test

import (
	"strings"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/rules"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/policytest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// policyDifferences are the objects that a policy judges differently, with the reasons.
var policyDifferences = map[string]string{
	"semantics/listmaps/update/many items stay invalid": "comparing hundreds of invalid items with their old ones costs more than API servers allow",
}

// TestPolicies compares definitions without rules, whose rules are in policies, with complete ones: both accept an object, or
// neither does. Rules that a policy cannot have are reported, and their cases are not compared.
func TestPolicies(t *testing.T) {
	compared := 0
	for _, c := range load(t).cases {
		if !c.ok() || c.Path == "" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			complete := schemaOf(t, c, nil)
			if len(complete.refused) > 0 {
				return
			}
			bare := publishedWith(t, c, emit.Options{CRDs: emit.CRDs{WithoutRules: true}})
			policies, gaps := policiesOf(t, c, complete)
			for _, o := range c.Objects {
				if o.Subresource != "" || len(o.Options) > 0 || gaps[o.Type] {
					continue
				}
				compared++
				t.Run(o.Name, func(t *testing.T) {
					want, _, texts := corpus.PathsOf(complete.crds[o.Type].Validate("v1", wrapped(t, o.Object), wrapped(t, o.Old)))
					got, _, _ := corpus.PathsOf(bare.crds[o.Type].Validate("v1", wrapped(t, o.Object), wrapped(t, o.Old)))
					if p := policies[o.Type]; p != nil && len(got) == 0 {
						got = p.Failures(t, admitted(t, bare, o, o.Object), admitted(t, bare, o, o.Old))
					}
					if same := (len(want) == 0) == (len(got) == 0); policyDifferences[c.Name+"/"+o.Name] != "" {
						if same {
							t.Error("the difference is listed, but does not exist")
						}
					} else if !same {
						t.Errorf("the complete definition reports %q%s, the other one and its policy %q", want, texts, got)
					}
				})
			}
		})
	}
	t.Logf("%d objects compared", compared)
}

// policiesOf returns the policies of a case's types, and the types whose policies lack a rule.
func policiesOf(t *testing.T, c *loadedCase, s *schemas) (policies map[string]*policytest.Policy, gaps map[string]bool) {
	t.Helper()
	bag := &diag.Bag{}
	policies, gaps = map[string]*policytest.Policy{}, map[string]bool{}
	err := rules.Emitter().Run(
		emit.Context{Model: load(t).model, Tags: driver.Tags(), Rules: tag.Programs(load(t).model, driver.Tags()), Diags: bag, Options: emit.Options{
			PolicyActions: []string{"Deny"},
			Complete: func(_, kind string) ([]byte, error) {
				crd := s.crds[strings.TrimPrefix(kind, corpus.Judged)]
				if crd == nil {
					return nil, nil
				}
				return utiljson.Marshal(crd.Definition)
			},
		}},
		func(e *emit.Context) bool { return e.Package.Path == modulePath+"/"+c.Name+"/kinds/v1" },
		func(e *emit.Context, f emit.File) {
			policies[strings.TrimPrefix(e.Kind.Name, corpus.Judged)] = policytest.NewAt(t, policytest.Parse(t, f.Content), 36) // the server whose schemas the definitions are for
		})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range bag.All() {
		name, _, _ := strings.Cut(strings.TrimPrefix(d.Message, "the policy of Judged"), " ")
		gaps[name] = true
	}
	return policies, gaps
}

// admitted returns an object as policies get it, with defaults.
func admitted(t *testing.T, s *schemas, o *corpus.Object, object map[string]any) string {
	t.Helper()
	if object == nil {
		return ""
	}
	out, errs := s.crds[o.Type].Admit("v1", wrapped(t, object))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	text, err := utiljson.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

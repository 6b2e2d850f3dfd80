package union

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// Contradiction is the rule that a configuration for server-side apply sets no member that its
// discriminator does not select.
const Contradiction Code = "config"

// ValidateConfig returns an error for each member in a configuration for server-side apply that the
// discriminator in the configuration does not select. Applied, one of them would remove the other, or
// be refused, depending on the stored object. A configuration without the discriminator may set
// members: the stored object decides.
func (s *Shape) ValidateConfig(r Request, config map[string]any) []Violation {
	w := &walk{request: &r, visit: (*walk).contradictions, uncorrelated: true}
	w.value(s, config, nil, nil)
	return w.violations
}

func (w *walk) contradictions(s *Shape, object, _ map[string]any, _ bool, at *validate.Path) {
	for _, u := range s.Unions {
		obj := jsonObject{u, object}
		d := obj.Discriminator()
		if !u.discriminated(w.request) || object[u.Discriminator] == nil || !u.Open && !u.known(w.request, d) {
			continue
		}
		for i := range u.Members {
			if name := u.Members[i].Name; !u.repeated(i) && obj.IsSet(i) && u.deselected(w.request, i, d) {
				path := w.run.FieldPath(at)
				w.violations = append(w.violations, Violation{At: path, Problem: Problem{
					Code: Contradiction, Field: name, Type: field.ErrorTypeForbidden, Value: field.OmitValueType{},
					Detail: fmt.Sprintf("`%s` is %q in the same configuration, which does not select `%s`: remove one of them", path.Child(u.Discriminator), d, name),
				}})
			}
		}
	}
}

// NormalizeApplied is Normalize for an object that results from merging a configuration for
// server-side apply. Cleared.Sent is set for members that the configuration sets.
func (s *Shape) NormalizeApplied(r Request, object, old, config map[string]any) []Cleared {
	sent := map[string]bool{}
	w := &walk{request: &r, visit: func(w *walk, s *Shape, _, config map[string]any, _ bool, at *validate.Path) {
		for _, u := range s.Unions {
			for i := range u.Members {
				if (jsonObject{u, config}).IsSet(i) {
					sent[w.run.FieldPath(at).Child(u.Members[i].Name).String()] = true
				}
			}
		}
	}}
	w.value(s, object, config, nil)
	cleared := s.Normalize(r, object, old)
	for i := range cleared {
		cleared[i].Sent = sent[cleared[i].Path]
	}
	return cleared
}

// OmitNulls removes the discriminators and members of a JSON object that are null, and so unset.
func (s *Shape) OmitNulls(r Request, object map[string]any) {
	w := &walk{request: &r, visit: (*walk).omitNulls, uncorrelated: true}
	w.value(s, object, nil, nil)
}

func (w *walk) omitNulls(s *Shape, object, _ map[string]any, _ bool, _ *validate.Path) {
	for _, u := range s.Unions {
		if !w.request.Holds(u.Under) {
			continue
		}
		names := []string{u.Discriminator}
		for _, m := range u.Members {
			if w.request.Holds(m.Under) {
				names = append(names, m.Name)
			}
		}
		for _, name := range names {
			if v, set := object[name]; set && v == nil {
				delete(object, name)
			}
		}
	}
}

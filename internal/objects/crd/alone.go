package crd

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// breaksAlone reports whether a rule reports an error if it is the only rule of the schema. It
// compiles the schema again, so it is only for errors that are otherwise ambiguous.
func (v *version) breaksAlone(ctx context.Context, r *rule, want *field.Error, object, old *admitted) bool {
	structural := v.structural.DeepCopy()
	keep(structural, r.mark)
	validator := cel.NewValidator(structural, true, celconfig.PerCallLimit)
	if validator == nil {
		return false
	}
	var errs field.ErrorList
	if old == nil {
		errs, _ = validator.Validate(ctx, nil, structural, object.value, nil, celconfig.RuntimeCELCostBudget)
	} else {
		errs, _ = validator.Validate(ctx, nil, structural, object.value, old.value, celconfig.RuntimeCELCostBudget, cel.WithRatcheting(v.correlate(object, old)))
	}
	for _, err := range errs {
		if err.Field == want.Field && err.Detail == want.Detail {
			return true
		}
	}
	return false
}

// keep removes all CEL rules of a schema except the one with a mark.
func keep(s *schema.Structural, mark string) {
	if s == nil {
		return
	}
	keepRules(&s.XValidations, mark)
	keep(s.Items, mark)
	for name, property := range s.Properties {
		keep(&property, mark)
		s.Properties[name] = property
	}
	if s.AdditionalProperties != nil {
		keep(s.AdditionalProperties.Structural, mark)
	}
	if s.ValueValidation != nil {
		for i := range s.ValueValidation.AllOf {
			keepNested(&s.ValueValidation.AllOf[i], mark)
		}
	}
}

func keepNested(n *schema.NestedValueValidation, mark string) {
	if n == nil {
		return
	}
	keepRules(&n.XValidations, mark)
	keepNested(n.Items, mark)
	for name, property := range n.Properties {
		keepNested(&property, mark)
		n.Properties[name] = property
	}
	keepNested(n.AdditionalProperties, mark)
	for i := range n.AllOf {
		keepNested(&n.AllOf[i], mark)
	}
}

func keepRules(rules *apiextensionsv1.ValidationRules, mark string) {
	var kept apiextensionsv1.ValidationRules
	for _, r := range *rules {
		if r.Message == mark {
			kept = append(kept, r)
		}
	}
	*rules = kept
}

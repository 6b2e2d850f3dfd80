package format

import (
	"context"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// functions are those that say whether a text has a format: the ones that
// generated validators report the errors of.
var functions = map[string]func(ctx context.Context, op operation.Operation, path *field.Path, value, old *string) field.ErrorList{
	"k8s-short-name":                    validate.ShortName[string],
	"k8s-long-name":                     validate.LongName[string],
	"k8s-long-name-caseless":            validate.LongNameCaseless[string], //nolint:staticcheck // deprecated for new fields, and a format like any other for old ones
	"k8s-label-key":                     validate.LabelKey[string],
	"k8s-prefixed-label-key":            validate.PrefixedLabelKey[string],
	"k8s-label-value":                   validate.LabelValue[string],
	"k8s-path-segment-name":             validate.PathSegmentName[string],
	"k8s-uuid":                          validate.UUID[string],
	"k8s-resource-pool-name":            validate.ResourcePoolName[string],
	"k8s-extended-resource-name":        validate.ExtendedResourceName[string],
	"k8s-resource-fully-qualified-name": validate.ResourceFullyQualifiedName[string],
	"k8s-ip": func(_ context.Context, _ operation.Operation, path *field.Path, value, _ *string) field.ErrorList {
		return validation.IsValidIPForLegacyField(path, *value, false, nil)
	},
}

func judge(_ *tag.Node, c *model.Constraint, v tag.Literal) tag.Verdict {
	text, isText := v.Text()
	check := functions[c.Text()]
	if !isText || check == nil {
		return tag.Undecided
	}
	return tag.KeptIf(len(check(context.Background(), operation.Operation{}, nil, &text, nil)) == 0)
}

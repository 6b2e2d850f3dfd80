package apply

import (
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kindsmith/kindsmith/runtime/union"
)

// configuration returns a checked copy of a configuration, without nulls. Merging would keep nulls,
// and the manager would own fields that do not exist.
func (a *Applier) configuration(config *unstructured.Unstructured, r *union.Request) (*unstructured.Unstructured, error) {
	config = config.DeepCopy()
	if gvk := config.GroupVersionKind(); gvk != a.config.Kind {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the configuration is of kind %s, not %s", gvk, a.config.Kind))
	}
	if unknown := unknownFields(a.schema.PruneResource(config.DeepCopy().Object)); len(unknown) > 0 {
		return nil, apierrors.NewBadRequest("the configuration cannot be applied: " + strings.Join(unknown, ", "))
	}
	a.schema.OmitNulls(config.Object)
	a.config.Unions.OmitNulls(*r, config.Object)
	if a.config.EmptyKeys {
		a.schema.OmitEmptyKeys(config.Object)
	}
	errs := a.schema.CheckKeys(nil, config.Object)
	for _, v := range a.config.Unions.ValidateConfig(*r, config.Object) {
		errs = append(errs, v.Error(v.At))
	}
	if err := a.invalid(config, errs); err != nil {
		return nil, err
	}
	if _, err := a.types.ObjectToTyped(config); err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the configuration cannot be applied: %v", err))
	}
	return config, nil
}

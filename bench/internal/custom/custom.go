// Package custom has hand-written functions for +k8s:customValidation in k8s.io/api.
// Upstream's are in k8s.io/kubernetes, which cannot be imported. The checks do not
// matter, as long as the code of both tools calls them in the same cases.
package custom

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Reserved rejects names in a domain of Kubernetes.
func Reserved(at *field.Path, name *string) field.ErrorList {
	if name == nil || !strings.Contains(*name, "k8s.io/") {
		return nil
	}
	return field.ErrorList{field.Invalid(at, *name, "domain is reserved").WithOrigin("custom")}
}

// Priority rejects numbers below 1000.
func Priority(at *field.Path, priority *int32) field.ErrorList {
	if priority == nil || *priority >= 1000 {
		return nil
	}
	return field.ErrorList{field.Invalid(at, *priority, "is reserved").WithOrigin("custom")}
}

// Time rejects the zero time.
func Time(at *field.Path, t *metav1.Time) field.ErrorList {
	if !t.IsZero() {
		return nil
	}
	return field.ErrorList{field.Required(at, "")}
}

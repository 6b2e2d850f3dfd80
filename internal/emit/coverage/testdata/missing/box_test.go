package missing_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"

	"github.com/kindsmith/kindsmith/internal/emit/coverage/testdata/missing"
)

func TestLabel(t *testing.T) {
	t.Parallel()
	box := &missing.Box{Label: "long"}
	errs := missing.Validate_Box(t.Context(), operation.Operation{Type: operation.Create}, nil, box, nil)
	if len(errs) != 1 {
		t.Errorf("got %v", errs)
	}
	missing.ValidationCoverage.Observe("Box", errs)
}

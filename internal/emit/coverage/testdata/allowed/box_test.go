package allowed_test

import (
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"

	"github.com/kindsmith/kindsmith/internal/emit/coverage/testdata/allowed"
)

func TestMain(m *testing.M) { os.Exit(allowed.ValidationCoverage.Run(m)) }

func TestLabel(t *testing.T) {
	t.Parallel()
	box := &allowed.Box{Label: "long"}
	errs := allowed.Validate_Box(t.Context(), operation.Operation{Type: operation.Create}, nil, box, nil)
	if len(errs) != 1 {
		t.Errorf("got %v", errs)
	}
	allowed.ValidationCoverage.Observe("Box", errs)
}

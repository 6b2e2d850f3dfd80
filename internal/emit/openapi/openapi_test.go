package openapi_test

import (
	"testing"

	"github.com/kindsmith/kindsmith/internal/emit/openapi"
	"github.com/kindsmith/kindsmith/internal/emittest"
)

func TestGolden(t *testing.T) { emittest.Golden(t, openapi.Emitter(), "./testdata/shop") }

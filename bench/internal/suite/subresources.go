package suite

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/bench/internal/differ"
	"github.com/kindsmith/kindsmith/bench/internal/trees"
)

// requestPaths are the subresources of kinds, and some that no kind has.
var requestPaths = [][]string{
	nil, {"status"}, {"scale"}, {"approval"}, {"eviction"}, {"ephemeralcontainers"}, {"resize"}, {"finalize"}, {"proxy"}, {"log"}, {"status", "x"},
}

// subresources compares the kinds and subresources that the two tools register with a
// scheme. It returns the differences.
func subresources(g Generated) ([]string, error) {
	schemes := map[string]*runtime.Scheme{trees.Ours: runtime.NewScheme(), trees.Theirs: runtime.NewScheme()}
	for _, s := range g.Schemes {
		if err := s.AddToScheme(schemes[s.Tool]); err != nil {
			return nil, fmt.Errorf("%s, %s: %w", s.Tool, s.Package, err)
		}
	}
	var found []string
	registered := 0
	for _, k := range g.Kinds {
		obj, ok := k.New().(runtime.Object)
		if !ok {
			continue
		}
		ours, theirs := schemes[trees.Ours].HasValidationFunc(obj), schemes[trees.Theirs].HasValidationFunc(obj)
		if ours != theirs {
			found = append(found, fmt.Sprintf("%s: registered by ours: %v, by theirs: %v", k, ours, theirs))
			continue
		}
		if !ours {
			continue
		}
		registered++
		for _, path := range requestPaths {
			known := func(tool string) bool {
				errs := schemes[tool].Validate(context.Background(), nil, obj, path...)
				return !slices.ContainsFunc(differ.Keys(errs), isUnknownSubresource)
			}
			if ours, theirs := known(trees.Ours), known(trees.Theirs); ours != theirs {
				found = append(found, fmt.Sprintf("%s: validated for subresource %v by ours: %v, by theirs: %v", k, path, ours, theirs))
			}
		}
	}
	if registered == 0 {
		return nil, fmt.Errorf("no kind is registered")
	}
	return found, nil
}

// isUnknownSubresource reports whether an error is about the request itself: the only
// internal error of the whole object.
func isUnknownSubresource(k differ.Key) bool {
	return k.Type == string(field.ErrorTypeInternal) && k.Path == ""
}

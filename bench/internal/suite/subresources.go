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

// requestPaths are those of subresources that kinds have, and some that none has.
var requestPaths = [][]string{
	nil, {"status"}, {"scale"}, {"approval"}, {"eviction"}, {"ephemeralcontainers"}, {"resize"}, {"finalize"}, {"proxy"}, {"log"}, {"status", "x"},
}

// subresources compares what the two tools register with a scheme: for which
// kinds, and for which subresources of them. It returns what differs.
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

// isUnknownSubresource reports whether an error is the one about the request
// itself: it is the only internal error about the object as a whole.
func isUnknownSubresource(k differ.Key) bool {
	return k.Type == string(field.ErrorTypeInternal) && k.Path == ""
}

package deepcopy_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/deepcopy"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

func TestGolden(t *testing.T) {
	emittest.Golden(t, deepcopy.Emitter(), "./testdata/markers")
}

func TestMistakes(t *testing.T) {
	_, found := emittest.Roots(t, deepcopy.Emitter(), "./testdata/mistakes")
	const want = `error: deepcopy/interface any
error: deepcopy/interface map[string]any
error: deepcopy/not-data func()
error: deepcopy/not-data []chan int
error: deepcopy/interface fmt.Stringer
error: deepcopy/no-method *sync.Pool
error: deepcopy/no-method Excluded
error: deepcopy/no-method map[string]Excluded
error: deepcopy/recursive Loop
error: deepcopy/no-method atomic.Pointer[string]
warning: deepcopy/generic Crate
error: deepcopy/bad-interface +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object{}
`
	if diff := cmp.Diff(want, emittest.Summary(found)); diff != "" {
		t.Errorf("diagnostics differ (-want +got):\n%s", diff)
	}
}

// TestShapes runs the tests of copies of all shapes of types.
func TestShapes(t *testing.T) {
	if code, out := emittest.Test(t, "testdata/shapes", driver.Config{Only: []string{"deepcopy"}}); code != 0 {
		t.Error(out)
	}
}

// TestSignatures has hand-written methods with other signatures, which must not be called.
func TestSignatures(t *testing.T) {
	m, bag := emittest.Model(t, "./testdata/signatures")
	deepcopy.Emitter().RunCheck(emit.Context{Model: m, Diags: bag}, nil)
	const want = `warning: deepcopy/signature Deep
warning: deepcopy/signature Failing
warning: deepcopy/signature Value
warning: deepcopy/signature Other
warning: deepcopy/signature Errs
warning: deepcopy/signature Neither
warning: deepcopy/signature Neither
warning: deepcopy/signature Object
warning: deepcopy/signature List
warning: deepcopy/signature Map
warning: deepcopy/signature Map
warning: deepcopy/signature Array
`
	if diff := cmp.Diff(want, emittest.Summary(bag.All())); diff != "" {
		t.Errorf("diagnostics differ (-want +got):\n%s", diff)
	}
	if code, out := emittest.Test(t, "testdata/signatures", driver.Config{Only: []string{"deepcopy"}}); code != 0 {
		t.Error(out)
	}
}

// TestUnmarked has a package without a marker that requests methods.
func TestUnmarked(t *testing.T) {
	files, found := emittest.Roots(t, deepcopy.Emitter(), "./testdata/unmarked")
	if len(found) > 0 || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), found)
	}
	var types []string
	for _, match := range regexp.MustCompile(`\*(\w+)\) DeepCopyInto`).FindAllStringSubmatch(string(files[0].Content), -1) {
		types = append(types, match[1])
	}
	if got := strings.Join(types, " "); got != "Thing Spec part" {
		t.Errorf("methods of %s", got)
	}
}

package driver_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// barriers are mistakes that different stages find, each with the code that is reported, and what is right instead. They
// are in one package, apart from those in files.
var barriers = []struct{ code, field, wrong, right string }{
	{"marker/double-equals", "Marker *string", "+k8s:maxLength==3", "+k8s:maxLength=3"},
	{"check/unknown-tag", "Unknown *string", "+k8s:maxLenght=3", "+k8s:maxLength=3"},
	{"check/wrong-value", "Value *string", `+k8s:maxLength="a"`, "+k8s:maxLength=3"},
	{"maxitems/negative", "Size []string", "+k8s:maxItems=-1", "+k8s:maxItems=1"},
	{"minlength/above-maximum", "Order *string", "+k8s:minLength=9 +k8s:maxLength=3", "+k8s:minLength=3 +k8s:maxLength=9"},
	{"crd/bounds", "Dialects *string", "+k8s:minLength=9 +kubebuilder:validation:MaxLength=3", "+k8s:minLength=3 +kubebuilder:validation:MaxLength=9"},
	{"default/wrong-type", "Default *int32", `+default="a"`, "+default=1"},
	{"versions/no-change", "Change *string", `+versioned:changed(since: "v1")`, "+k8s:maxLength=3"},
	{"crd/rule", "Rule *string", `+kubebuilder:validation:XValidation:rule="self.a"`, `+kubebuilder:validation:XValidation:rule="self != ''"`},
	{"crd/marker-syntax", "Syntax *string", "+kubebuilder:validation:MaxLength=x", "+kubebuilder:validation:MaxLength=3"},
	{"customvalidation/no-function", "Function *string", "+k8s:customValidation", "+k8s:maxLength=3"},
	{"deepcopy/not-object", "", "// +kubebuilder:object:root=true\ntype Copied struct{}", "type Copied struct{}"},
	{"crd/refused", "Type *string", "+kubebuilder:validation:Schemaless", "+k8s:maxLength=3"},
	{"load/type-check", "", "", "// Missing is the type of a field.\ntype Missing string"},
	{"structtag/duplicate", "", "type Twice struct {\n\t// +k8s:optional\n\tA *string `json:\"a,omitempty\"`\n\t// +k8s:optional\n\tB *string `json:\"a,omitempty\"`\n}", ""},
	{"defaults/signature", "", "func SetDefaults_Shop(in Shop) {}", "func SetDefaults_Shop(in *Shop) {}"},
	{"driver/hand-written", "", "zz_generated.register.go", "register.go"},
}

// barrier returns the package with the mistakes for which a condition holds.
func barrier(t *testing.T, dir string, isWrong func(int) bool) {
	t.Helper()
	var fields, decls strings.Builder
	hand := ""
	for i, m := range barriers {
		text := m.right
		if isWrong(i) {
			text = m.wrong
		}
		switch {
		case m.field == "" && strings.HasSuffix(text, ".go"):
			hand = text
		case m.field == "":
			decls.WriteString(text + "\n")
		case text == "": // the field is removed
		default:
			for marker := range strings.SplitSeq(strings.ReplaceAll(text, " +", "\n+"), "\n") {
				fields.WriteString("\t// " + marker + "\n")
			}
			name, _, _ := strings.Cut(m.field, " ")
			fields.WriteString("\t// +k8s:optional\n\t" + m.field + " `json:\"" + strings.ToLower(name) + ",omitempty\"`\n\n")
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "api")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "api/v1", hand), "package v1\n\nconst hand = 1\n")
	write(t, filepath.Join(dir, "api/v1/types.go"), "// Package v1 is an API.\n//\n// +groupName=shop.example.com\n// +versioned:version(name: \"v1beta1\")\n// +versioned:version(name: \"v1\")\npackage v1\n\n"+
		"import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n// Shop is a kind.\ntype Shop struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n"+
		"\tSpec Spec `json:\"spec\"`\n}\n\n// Spec is what is wanted.\ntype Spec struct {\n\t// +k8s:optional\n\t// +k8s:maxLength=3\n\tTyped *Missing `json:\"typed,omitempty\"`\n\n"+fields.String()+"}\n\n"+decls.String())
}

// TestBarriers makes a package with a mistake for each stage, and corrects each of them alone: no correction reveals a
// diagnostic that the run with all mistakes did not report.
func TestBarriers(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	for name, text := range workspacetest.Files("example.com") {
		write(t, filepath.Join(dir, name), text)
	}
	defer driver.OnFailure(func(e *emit.Emitter, err error) { t.Errorf("%s fails on a package with mistakes: %v", e.Name, err) })()
	var w driver.Workspace
	run := func(isWrong func(int) bool) map[string]bool {
		t.Helper()
		barrier(t, dir, isWrong)
		bag := &diag.Bag{}
		if _, err := w.Generate(driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}}, CRDDir: "crds"}, bag); err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, d := range bag.All() {
			found[d.Severity.String()+": "+d.Message+" ["+d.Code.String()+"]"] = true
		}
		return found
	}
	all := run(func(int) bool { return true })
	codes := strings.Join(slices.Sorted(maps.Keys(all)), "\n")
	for i, m := range barriers {
		if !strings.Contains(codes, "["+m.code+"]") {
			t.Errorf("%s is not reported besides other mistakes:\n%s", m.code, codes)
		}
		alone := run(func(j int) bool { return j == i })
		if n := strings.Count(strings.Join(slices.Sorted(maps.Keys(alone)), "\n"), "error: "); n != 1 {
			t.Errorf("%s alone is %d errors: %v", m.code, n, slices.Sorted(maps.Keys(alone)))
		}
		for d := range run(func(j int) bool { return j != i }) {
			if !all[d] {
				t.Errorf("the correction of %s reveals %s", m.code, d)
			}
		}
	}
	if sound := run(func(int) bool { return false }); strings.Contains(strings.Join(slices.Collect(maps.Keys(sound)), "\n"), "error: ") {
		t.Errorf("the corrected package has mistakes: %v", slices.Sorted(maps.Keys(sound)))
	}
}

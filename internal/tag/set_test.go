package tag

import "testing"

func TestTypo(t *testing.T) {
	tags := []string{"k8s:maximum", "k8s:maxLength", "k8s:minLength", "k8s:minimum", "k8s:opaqueType", "k8s:required", "k8s:unique", "k8s:neq"}
	markers := []string{"kubebuilder:resource:path", "kubebuilder:resource", "kubebuilder:validation:MaxLength"}
	for _, c := range []struct {
		word       string
		candidates []string
		want       string
	}{
		{"k8s:maxLenght", tags, "k8s:maxLength"},
		{"k8s:maxlength", tags, "k8s:maxLength"},
		{"k8s:requird", tags, "k8s:required"},
		{"K8s.required", tags, ""},       // another number of parts
		{"k8s:maximum:9", tags, ""},      // the fix would lose the 9
		{"k8s:required:false", tags, ""}, // the fix would invert the meaning
		{"k8s:opaque", tags, ""},
		{"k8s:mLength", tags, ""}, // similar to two tags
		{"k8s:nq", tags, ""},      // too short to tell
		{"kubebuilder:feature-gate", markers, ""},
		{"kubebuilder:validation:MaxLenght", markers, "kubebuilder:validation:MaxLength"},
		{"anything", nil, ""},
	} {
		if got := Typo(c.word, c.candidates); got != c.want {
			t.Errorf("%s: got %q, want %q", c.word, got, c.want)
		}
	}
}

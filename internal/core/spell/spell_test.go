package spell

import "testing"

func TestNearest(t *testing.T) {
	commands := []string{"init", "generate", "lint", "breaking", "bump", "adopt", "validate", "convert", "test", "explain", "tags", "model"}
	for _, c := range []struct {
		word  string
		names []string
		want  string
	}{
		{"lnt", commands, "lint"},
		{"int", commands, "init"},
		{"generat", commands, "generate"},
		{"gen", commands, "generate"},
		{"vlidate", commands, "validate"},
		{"frobnicate", commands, ""},
		{"", commands, ""},
		{"crds", []string{"conversion", "crd"}, "crd"},
		{"crdDir", []string{"crd-dir", "crd"}, "crd-dir"},
		{"CRD_DIR", []string{"crd-dir"}, "crd-dir"},
		{"from", []string{"since", "fromName", "fromType"}, "fromName"},
		{"metav1", []string{"beta", "alpha"}, ""},
		{"versioned:api", []string{"versioned:skip", "versioned:added"}, ""},
		{"versioned:add", []string{"versioned:skip", "versioned:added"}, "versioned:added"},
		{"k8s:eachValue", []string{"k8s:eachKey", "k8s:eachVal"}, "k8s:eachVal"},
		{"spec.sice", []string{"spec.name", "spec.size"}, "spec.size"},
		{"v2", []string{"v1beta1", "v1"}, "v1"},
		{"x", []string{"y"}, ""}, // nothing is left of the word
		{"mop", []string{"atomic", "map", "set"}, "map"},
		{"a", nil, ""},
	} {
		if got := Nearest(c.word, c.names); got != c.want {
			t.Errorf("%s: got %q, want %q", c.word, got, c.want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	if got := DidYouMean("Ordr", []string{"Line", "Order"}); got != "; did you mean Order?" {
		t.Error(got)
	}
	if got := DidYouMean("Ordr", []string{"Line"}); got != "" {
		t.Error(got)
	}
}

func TestUnknown(t *testing.T) {
	parts := []string{"crd", "deepcopy"}
	for word, want := range map[string]string{
		"crds":    `unknown part "crds"; did you mean crd?`,
		"nothing": `unknown part "nothing"; the parts are: crd, deepcopy`,
	} {
		if got := Unknown("part", word, parts).Error(); got != want {
			t.Error(got)
		}
	}
}

func TestClose(t *testing.T) {
	for _, c := range []struct {
		word, name string
		want       bool
	}{
		{"unionMembers", "unionMember", true},
		{"UnionMember", "unionMember", true},
		{"unionDiscriminateBy", "unionDiscriminatedBy", true},
		{"unionDiscriminater", "unionDiscriminator", true},
		{"otpional", "optional", true},
		{"optoinl", "optional", false},
		{"feature", "format", false},
	} {
		if got := Close(c.word, c.name); got != c.want {
			t.Errorf("%s, %s: got %v", c.word, c.name, got)
		}
	}
}

func TestCertain(t *testing.T) {
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
		if got := Certain(c.word, c.candidates); got != c.want {
			t.Errorf("%s: got %q, want %q", c.word, got, c.want)
		}
	}
}

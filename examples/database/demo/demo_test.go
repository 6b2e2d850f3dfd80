package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func TestDemo(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), &out, ".."); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		// What is generated.
		`Hand-written, in api/v1:\n +5 files +\d+ lines +conversion\.go, database_types\.go`,
		`\n +2 files +\d+ lines   types of older versions\n`,
		`\n +3 files +\d+ lines   conversion between versions\n`,
		`\n +2 files +\d+ lines   CustomResourceDefinitions`,
		// Verdicts.
		`\nvalid +create v1_database_orders\.yaml\n`,
		`\nvalid +create v1alpha1_database_legacy\.yaml\n`,
		`\nrejected +create engine-unknown\.yaml\n +spec\.engine: Unsupported value: "Oracle"`,
		`\nrejected +create v1alpha1-instances-too-many\.yaml\n +spec\.instances: .*15\n`,
		`\nrejected +create class-claim-with-two-sources\.yaml\n +spec\.resourceClaims\[0\]: .*exactly one of`,
		`\nrejected +update engine-changed\n +spec\.engine: .*immutable`,
		// Versions.
		`\n  v1alpha1 → v1\n(    .*\n)*    - spec\.instances: 2\n(    .*\n)*    \+ spec\.idleTimeoutSeconds: 5400\n(    .*\n)*    \+ spec\.replicas: 2\n`,
		`\n  v1 → v1beta1\n(    .*\n)*    \+ spec\.idleTimeout: "1h30m"\n`,
		`\nNothing was lost: all \d+ values are unchanged\.\n`,
		// Unions.
		`\n  what normalisation changes\n    - spec\.storage\.persistentVolume\.size: "20Gi"\n\nvalid `,
		`\nrejected +create inventory, with both members\n +spec\.storage\.persistentVolume: `,
		// Defaults.
		`\n    \+ spec\.logging\.level: "Info"\n`,
		`\n    \+ spec\.parameters\.max_connections: "100"\n`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no match for %s", want)
		}
	}
	if strings.Contains(text, "\x1b") {
		t.Error("the output has colours, but does not go to a terminal")
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestDemoElsewhere(t *testing.T) {
	err := run(t.Context(), &bytes.Buffer{}, t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "is not the folder of the example") {
		t.Errorf("got %v", err)
	}
}

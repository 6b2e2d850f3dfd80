package launch

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// crd returns the manifest of a CRD with two versions of the same schema. v2 is
// stored. conversion is the value of spec.conversion as JSON.
func crd(kind, conversion string) string {
	plural := strings.ToLower(kind) + "s"
	schema := `
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, minimum: 1}
`
	return fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: %[1]s.test.example.com
spec:
  group: test.example.com
  names: {kind: %[2]s, plural: %[1]s}
  scope: Namespaced
  conversion: %[3]s
  versions:
  - name: v1
    served: true
    storage: false%[4]s
  - name: v2
    served: true
    storage: true%[4]s`, plural, kind, conversion, schema)
}

// object returns the manifest of an object of a CRD made by crd.
func object(kind, version, name string, size int) string {
	return fmt.Sprintf(`
apiVersion: test.example.com/%s
kind: %s
metadata: {name: %s}
spec: {size: %d}`, version, kind, name, size)
}

// applyCRD applies the manifest and returns once the CRD serves, failing the
// test if the server has a warning to give.
func applyCRD(t *testing.T, s *Server, manifest string) {
	t.Helper()
	kubectl(t, s, manifest, "apply", "--warnings-as-errors", "-f", "-")
	// kubectl wait fails until the CRD has its first condition.
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		out, err := tryKubectl(t, s, manifest, "wait", "--for=condition=Established", "--timeout=60s", "-f", "-")
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the CRD is not established: %v\n%s", err, out)
		}
	}
}

// testCustomResource checks that a CRD is served in both of its versions and
// that its schema is enforced.
func testCustomResource(t *testing.T, s *Server) {
	applyCRD(t, s, crd("Gizmo", `{strategy: None}`))

	kubectl(t, s, object("Gizmo", "v1", "good", 3), "apply", "--warnings-as-errors", "-f", "-")
	for _, version := range []string{"v1", "v2"} {
		got := kubectl(t, s, "", "get", "gizmos."+version+".test.example.com", "good",
			"-o", "jsonpath={.apiVersion} {.spec.size}")
		if want := "test.example.com/" + version + " 3"; got != want {
			t.Errorf("in %s it is %q, want %q", version, got, want)
		}
	}

	out, err := tryKubectl(t, s, object("Gizmo", "v2", "bad", 0), "apply", "-f", "-")
	if want := "spec.size: Invalid value: 0"; err == nil || !strings.Contains(out, want) {
		t.Errorf("an invalid object: error %v, output %q; want an error with %q", err, out, want)
	}
}

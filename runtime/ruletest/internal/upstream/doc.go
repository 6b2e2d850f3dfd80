// Package upstream has the tests that compare package validate with the newest version
// of k8s.io/apimachinery/pkg/api/validate: verdicts, and all that errors contain. They
// are not in the runtime module, which also supports versions of apimachinery that lack
// these functions.
package upstream

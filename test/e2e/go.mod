module github.com/kindsmith/kindsmith/test/e2e

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	k8s.io/apiextensions-apiserver v0.37.2
	k8s.io/apimachinery v0.37.2
	sigs.k8s.io/yaml v1.6.0
)

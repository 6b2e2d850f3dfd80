package crd

import "github.com/kindsmith/kindsmith/internal/core/diag"

var (
	codes = diag.Firm(diag.Everything)

	codeMalformed     = codes.New("crd/malformed", "The CustomResourceDefinition has values of the wrong type, or has no group, kind, versions or schema. API servers reject it.")
	codeOldDefinition = codes.New("crd/old-definition", "Kubernetes 1.22 removed apiextensions.k8s.io/v1beta1. Write apiextensions.k8s.io/v1.")
	codeTwice         = codes.New("crd/twice", "Two definitions define the same version of a kind. The first is used. Name one of them with --crd only.")
	codeNotStructural = codes.New("crd/not-structural", "API servers reject schemas that are not structural: each value needs a type, for example. The Kubernetes documentation of CustomResourceDefinitions has the rules.")
	codeRule          = codes.New("crd/rule", "The CEL expression of a rule does not compile. API servers reject the definition.")
)

// Codes returns the codes that this package reports.
func Codes() []diag.Code { return codes.All() }

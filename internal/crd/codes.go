package crd

import "github.com/kindsmith/kindsmith/internal/diag"

var (
	codes diag.Codes

	codeMalformed     = codes.New("crd/malformed", "The CustomResourceDefinition has values of wrong types, or lacks a group, a kind, versions or a schema. API servers refuse it.")
	codeOldDefinition = codes.New("crd/old-definition", "Definitions of apiextensions.k8s.io/v1beta1 are not served since Kubernetes 1.22. Write apiextensions.k8s.io/v1.")
	codeTwice         = codes.New("crd/twice", "Two definitions define the same version of a kind. The first is used. Name one of them with --crd only.")
	codeNotStructural = codes.New("crd/not-structural", "API servers refuse schemas that are not structural: each value needs a type, and so on. The Kubernetes documentation of CustomResourceDefinitions has the rules.")
	codeRule          = codes.New("crd/rule", "The CEL expression of a rule has a mistake, so the rule cannot be run. API servers refuse the definition.")
)

// Codes returns the codes of what this package reports.
func Codes() []diag.Code { return codes.All() }

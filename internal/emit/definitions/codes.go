package definitions

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/rules/schema"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Definitions)

	codeApproval       = codes.New("crd/approval", "Groups that end in `.k8s.io` or `.kubernetes.io` belong to the Kubernetes community. API servers reject CustomResourceDefinitions in these groups without an annotation that links to their approval. It is a warning because release tools often add the annotation.")
	codeDefault        = codes.Firm().New("crd/default", "The default does not satisfy the schema. API servers reject such defaults.")
	codeListKeys       = codes.Firm().New("crd/list-keys", "The keys of a list of type map must be scalar fields of the items that are required or have a default.")
	codeMarkerValue    = codes.New("crd/marker-value", "The value of the marker is not valid in a CustomResourceDefinition.")
	codeNoConversion   = codes.New("crd/no-conversion", "The versions of a kind differ in JSON, so API servers need a webhook that converts objects. Without one they change only the apiVersion, and fields that a version does not have are dropped. Name the service of the webhook in kindsmith.yaml, `conversionWebhook: shop-system/webhooks`, or with --conversion-webhook. If another tool adds the webhook, such as a patch of kustomize, name the same service.")
	codeNoField        = codes.New("crd/no-field", "No field of the version has the path of a column or of the scale subresource: the column stays empty, and the subresource does not work. Paths begin with a dot and have JSON names: `.spec.replicas`, `.status.conditions[?(@.type==\"Ready\")].status`.")
	codeNoGroup        = codes.New("crd/no-group", "The package has kinds but no API group, so kindsmith writes no CustomResourceDefinitions for them. Add `+groupName=<group>` above the package clause, or `+kubebuilder:skip` if the kinds need none.")
	codeNotKind        = codes.New("crd/not-kind", "Only kinds get CustomResourceDefinitions: structs that embed metav1.TypeMeta and metav1.ObjectMeta without field names. Markers of kinds have no effect on other types.")
	codeRefused        = codes.Firm().New("crd/refused", "The API server's validation rejects the CustomResourceDefinition.")
	codeRule           = codes.Firm().New("crd/rule", "The API server's CEL compiler rejects the rule. `self` is the value that the rule is on, `oldSelf` its old value.")
	codeRuleCost       = codes.New("crd/rule-cost", "The API server estimates the cost of a rule for the largest object that the schema allows, and rejects expensive rules. Limit the strings, lists and maps that the rule reads: `+k8s:maxLength`, `+k8s:maxItems`. Bounds in `allOf` do not count: `--tight-bounds` writes them outside. `--dependency-rules=keywords` leaves out rules in CEL on types in other modules.")
	codeRuleTransition = codes.New("crd/rule-transition", "A rule with `oldSelf` needs an old value, and list items have one only in lists of type map. Use `+k8s:listType=map`, or put the rule on the list.")
	codeSelectable     = codes.Firm().New("crd/selectable-fields", "API servers refuse a kind whose versions have the same selectable fields, in the same order, and differ in their schemas. With several selectable fields, kindsmith writes them in another order in one version. With controller-gen's arguments, it does not.")
	codeStorage        = codes.Firm().New("crd/storage", "A kind has exactly one storage version. Put `+kubebuilder:storageversion` on the kind in one package, or `storage: true` on one `+versioned:version`.")
	codeTooLarge       = codes.Limit().New("crd/too-large", "kubectl apply stores a copy of the object in an annotation, whose limit is 256 KiB; API servers store no object over 1.5 MiB. Leave out the deepest descriptions with `--max-crd-size`, those of a field with `+k8s:noDescription`, or use `kubectl apply --server-side`.")
	codeUniqueItems    = codes.New("crd/unique-items", "The API server does not allow uniqueItems, whose cost is quadratic. Use `+k8s:listType=set`.")
	codeRatcheting     = codes.New("crd/ratcheting", "Rules of unions and of dependent fields compare with the old object: an update that changes neither the discriminator nor which fields are set is accepted. If a list or map around the struct has no upper bound, API servers estimate that the comparison costs too much. The rules are then published without it, and apply to every update that changes anything in the struct. Limit the lists and maps: `+k8s:maxItems`, `+k8s:maxProperties`.")
	codeVersionTwice   = codes.Firm().New("crd/version-twice", "Two packages have the same kind in the same version of a group. A CustomResourceDefinition has each version once. Change the group, the kind or the version of one, or exclude one with `+kubebuilder:skipversion`.")
)

// Unjudged returns the codes of errors that controller-gen does not report: it writes such definitions, and API servers
// refuse them or do not use them as their authors mean.
func Unjudged() []diag.Code {
	return append(schema.Unjudged(),
		codeDefault, codeListKeys, codeRefused, codeRule, codeRuleCost, codeRuleTransition, codeSelectable, codeStorage, codeTooLarge, codeUniqueItems,
	)
}

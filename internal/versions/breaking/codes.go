package breaking

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Everything)

	codeKind        = codes.New("breaking/kind", "A published kind has no CustomResourceDefinition any more. Clients get 404, and deleting the definition deletes all objects of the kind.")
	codeResource    = codes.New("breaking/resource", "The resource has another plural name, list kind or scope. API servers refuse to change the scope, and a definition with another plural is another resource: existing objects stay with the old one. Add a new kind, and let a controller or a person move the objects.")
	codeVersion     = codes.New("breaking/version", "A version is no longer served, so its clients get 404; or it is no longer listed, which API servers refuse while `status.storedVersions` has it. Deprecate a version for some releases before you stop serving it, and list it with `served: false` until all objects are stored in another version.")
	CodeMiddle      = codes.New("breaking/middle-version", "You removed a version between two others. Objects of the older version store values for it, and conversions restore these values on the way through it. Without the version, the values are lost. Keep the version with `served: false`, and remove the oldest version first.")
	codeSubresource = codes.New("breaking/subresource", "A subresource or a selectable field was removed or changed, or the status subresource was added. Without a subresource its clients get 404. With the status subresource, servers ignore the status in writes to the object, and the spec in writes to its status.")
	codeField       = codes.New("breaking/field", "A published key is gone. API servers drop it from requests and when they read stored objects. To rename or remove a key, add a new version, and mark what changed: the existing versions then keep the key, and are converted.")
	codeType        = codes.New("breaking/type", "A value has another type, or its list type or map type is another. Servers refuse what clients send, and clients cannot decode what servers return. The type of a list or map decides how server-side apply merges it. To change a type, add a new version, and mark what changed: the existing versions then keep the type, and are converted.")
	codeRequired    = codes.New("breaking/required", "A key has become required. Servers refuse requests without it, and updates of stored objects without it. Make the field optional, or give it a default.")
	codeEnum        = codes.New("breaking/enum", "A value is no longer allowed. Servers refuse requests that set it. Keep the constant, and mark it as deprecated if clients should stop using it.")
	codeRule        = codes.New("breaking/rule", "A rule is tighter, or new. Servers refuse objects that they accepted. Stored objects stay readable, and unchanged values stay accepted on updates, but clients that create such objects fail. Tighten rules in a new version only: rules can be limited to some versions.")
	codeDefault     = codes.New("breaking/default", "The default of an existing key was added, changed or removed. Servers apply defaults when they read stored objects, so existing objects get another meaning. Change a default in a new version only: defaults can be limited to some versions.")
	CodeGo          = codes.New("breaking/go", "An exported Go name is gone or has another type, so programs that import the package may not compile. The message is that of golang.org/x/exp/apidiff. Keep the name, for example as a deprecated alias.")
)

// Codes returns the codes of this package.
func Codes() []diag.Code { return codes.All() }

package deploy

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Kustomize | diag.Chart | diag.OLM)

	codeNoManager  = codes.New("deploy/no-manager", "Kustomizations, charts and bundles run the webhooks in the Deployment of your manager. Name the files or folders with its manifests: `generate.managerManifests: [config/manager, config/rbac]` in `kindsmith.yaml`. `kindsmith init --webhook` writes them for a new project.")
	codeManagers   = codes.New("deploy/several-managers", "The manifests of the manager have several Deployments, and kindsmith cannot know which of them serves the webhooks. Name only the files of one in `generate.managerManifests`.")
	codeContainer  = codes.New("deploy/no-container", "The Deployment of the manager has no container, so nothing can serve the webhooks.")
	codeUnreadable = codes.New("deploy/no-file", "`generate.managerManifests` names a file or folder that does not exist or cannot be read.")
)

// Codes returns the codes that this package reports.
func Codes() []diag.Code { return codes.All() }

// Package project has the settings of a project: one table, from which the flags of commands,
// kindsmith.yaml, its JSON schema and its documentation derive.
//
// [Default] has the values of all [Settings], and an [Option] is a row of the table. Mistakes in kindsmith.yaml are
// diagnostics with the codes of [Codes].
//
// To add a setting, add a field and its row in Options, and read the field in the command, or in config.go if
// generate and lint read it; `go test ./internal/tool/project -update` writes the schema and the table of
// docs/reference/configuration.md.
package project

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	api "github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// FileName is the name of the file with the settings of a project.
const FileName = "kindsmith.yaml"

// Settings are what commands need to know about a project in every run. What differs between runs,
// such as the format of diagnostics, is a flag only.
type Settings struct {
	// places are where the file has the settings that it sets.
	places emit.Places
	// Packages are patterns of packages, BuildTags the tags to load them with.
	Packages, BuildTags []string
	// Definitions are files and folders with CustomResourceDefinitions.
	Definitions []string
	// ReadOnly are packages whose validators are called; EnableOptions and Level select published rules.
	ReadOnly, EnableOptions []string
	Level                   string
	// VersionsDir is the pattern of the folders of older versions; see model.ParseVersionsDir.
	VersionsDir string
	// DependencyRules is a rule.Policy.
	DependencyRules string
	// ConversionWebhook is a Service, ConversionCertificate a Certificate; see
	// emit.ParseConversionWebhook and emit.CheckCertificate.
	ConversionWebhook, ConversionCertificate string

	// Diagnostics are the reasons why errors of some codes are warnings, by code.
	Diagnostics map[string]string

	Generate Generate
	Lint     Lint
	Breaking Breaking
	Validate Validate
	Test     Test
}

// Generate are the settings of `kindsmith generate`.
type Generate struct {
	Only, Skip                 []string
	Coverage, Helpers, OpenAPI bool
	HeaderFile, CRDHeaderFile  string
	Year                       string
	OutputRoot                 string
	// ImportAlias are aliases as of gofile.ParseAliases.
	ImportAlias       []string
	CRDDir, PolicyDir string
	// PolicyActions are of Warn, Audit and Deny.
	PolicyActions []string
	// WebhookDir and OpenAPIDir are folders, "" for none.
	WebhookDir, OpenAPIDir string
	// WebhookCertificates are of emit.CertificateSources, ManagerManifests are files and folders.
	WebhookCertificates, ManagerManifests []string
	// ChartDir and OLMDir are folders, "" for none.
	ChartDir, OLMDir string
	// MaxDescription is a number of bytes, -1 for unlimited; MaxCRDSize is a size as of
	// emit.ParseSize, "" for unlimited.
	MaxDescription            int
	MaxCRDSize, SlimCRDDir    string
	EmbeddedMeta, TightBounds bool
	// PublishTags publishes all rules and defaults also with controller-gen's arguments.
	PublishTags bool
}

// Lint are the settings of `kindsmith lint`: names of conventions, and the file with the diagnostics
// that are not reported.
type Lint struct {
	Enable, Disable []string
	Baseline        string
}

// Breaking are the settings of `kindsmith breaking`: a revision, file or folder.
type Breaking struct{ Against string }

// Validate are the settings of `kindsmith validate`.
type Validate struct{ Strict, SkipUnknown, AllowEmpty bool }

// Test are the settings of `kindsmith test`.
type Test struct {
	Types                []string
	AllRules, AllowEmpty bool
}

// Default returns the settings of a project without kindsmith.yaml.
func Default() Settings {
	return Settings{
		Packages: []string{"./..."}, Level: string(rule.Beta), DependencyRules: string(rule.AllRules),
		Generate: Generate{CRDDir: "config/crd/bases", PolicyDir: "config/policy", MaxDescription: -1, EmbeddedMeta: true},
	}
}

// Commands that have settings.
const (
	generate = "generate"
	lint     = "lint"
	breaking = "breaking"
	bump     = "bump"
	adopt    = "adopt"
	model    = "model"
	validate = "validate"
	test     = "test"
	convert  = "convert"
	docs     = "docs"
	dev      = "dev"
)

// Meaning is what the text of an option refers to.
type Meaning int

const (
	// Text refers to nothing.
	Text Meaning = iota
	// Path is a file or folder.
	Path
	// Packages is a package pattern: relative if it begins with a dot.
	Packages
)

// Option is one setting: a key of kindsmith.yaml and a flag.
type Option struct {
	// Section is the mapping that has the key; "" is the document.
	Section string
	// Name is the name of the flag.
	Name string
	// Commands are the commands with the flag; none of a section's option is the command of that
	// name.
	Commands []string
	// Once is set if a project chooses the setting once: the help of commands leaves its description to
	// `kindsmith explain kindsmith.yaml`.
	Once bool
	// NoFlag is set if there is no flag: only the file, or arguments, set the option.
	NoFlag bool
	// Usage is a sentence for flags, the schema and the documentation, without its period.
	Usage string
	// Value points to the setting: a *string, *[]string, *bool or *int, or for codes with reasons a *map[string]string.
	Value any
	// Meaning is that of a string or of each item of a list.
	Meaning Meaning
	// Values are the allowed values, and Noun is what one is called; nil allows all.
	Values []string
	Noun   string
	// Valid returns an error if the option does not allow a text; nil allows all.
	Valid func(text string) error
}

// Options returns the options of the settings, in the order of the documentation.
func (s *Settings) Options() []Option {
	g := &s.Generate
	on, off := conventions()
	all := slices.Concat(on, off)
	return []Option{
		{Name: "packages", Commands: []string{generate, lint, breaking, bump, adopt, model, validate, test, convert, dev, docs}, NoFlag: true, Value: &s.Packages, Meaning: Packages, Usage: "packages, as patterns of the go command; arguments of commands replace them"},
		{Name: "tags", Once: true, Commands: []string{generate, lint, breaking, bump, adopt, model, validate, test, convert, dev, docs}, Value: &s.BuildTags, Usage: "build tags to load the packages with"},
		{Name: "readonly-pkg", Once: true, Commands: []string{generate, lint, breaking, dev}, Value: &s.ReadOnly, Meaning: Packages, Usage: "call the existing validators of these `packages` for types of other packages"},
		{Name: "versions-dir", Once: true, Commands: []string{generate, lint, breaking, bump, adopt, model, validate, test, convert, dev, docs}, Value: &s.VersionsDir, Valid: validVersionsDir, Usage: "`folder` of each older version, relative to that of the newest version, such as ../old/{version}; +versioned:output overrides it (default ../{version})"},
		{Name: "level", Once: true, Commands: []string{generate, lint, breaking, dev}, Value: &s.Level, Values: rule.Levels(), Noun: "level", Usage: "publish rules of this stability `level` or higher: " + strings.Join(rule.Levels(), ", ")},
		{Name: "enable-options", Once: true, Commands: []string{generate, lint, breaking, validate, test, dev}, Value: &s.EnableOptions, Usage: "publish schemas for API servers with these `options` of +k8s:ifEnabled and +k8s:ifDisabled enabled, and all others disabled, and validate like these servers"},
		{Name: "dependency-rules", Once: true, Commands: []string{generate, lint, breaking, validate, test, convert, dev, docs}, Value: &s.DependencyRules, Values: rule.Policies(), Noun: "policy", Usage: "`rules` that apply to types in other modules: all, keywords (those that schemas express without CEL), none. Required fields and list types remain"},
		{Name: "conversion-webhook", Once: true, Commands: []string{generate, lint, breaking, dev}, Value: &s.ConversionWebhook, Valid: validWebhook, Usage: "`service` of the webhook that converts between versions, for CustomResourceDefinitions: namespace/name[:port][/path]; the defaults are port 443 and path /convert"},
		{Name: "conversion-certificate", Once: true, Commands: []string{generate, lint, breaking}, Value: &s.ConversionCertificate, Valid: emit.CheckCertificate, Usage: "cert-manager `Certificate` of the conversion webhook: namespace/name"},
		{Name: "diagnostics", NoFlag: true, Commands: []string{generate, lint, breaking, dev}, Value: &s.Diagnostics, Usage: "errors of these codes are warnings, each for a reason; a tag with such a mistake is left out"},
		{Name: "crd", Commands: []string{validate, test}, Value: &s.Definitions, Meaning: Path, Usage: "validate against the CustomResourceDefinitions in this `file or folder`; can be repeated"},

		{Section: generate, Name: "only", Value: &g.Only, Values: emitters(), Noun: "part", Usage: "parts to write (default all)"},
		{Section: generate, Name: "skip", Value: &g.Skip, Values: emitters(), Noun: "part", Usage: "parts not to write"},
		{Section: generate, Name: "coverage", Value: &g.Coverage, Usage: "also write a test file that makes a package's tests fail unless they break every rule; existing files are updated without the flag"},
		{Section: generate, Name: "helpers", Value: &g.Helpers, Usage: "also write a package over all versions of a group, in the folder above them; existing files are updated without the flag"},
		{Section: generate, Name: "openapi", Value: &g.OpenAPI, Usage: "also write the OpenAPI definitions of packages for an aggregated API server; existing files are updated without the flag"},
		{Section: generate, Name: "openapi-dir", Once: true, Value: &g.OpenAPIDir, Meaning: Path, Usage: "write the OpenAPI definitions of all packages, and of API machinery, to one Go package in this `folder`, instead of a file in each package"},
		{Section: generate, Name: "header-file", Commands: []string{generate, dev}, Value: &g.HeaderFile, Meaning: Path, Usage: "begin every Go file with the comments in this `file`; YEAR becomes the year in which the Go file was first written"},
		{Section: generate, Name: "crd-header-file", Once: true, Commands: []string{generate, dev}, Value: &g.CRDHeaderFile, Meaning: Path, Usage: "begin every CustomResourceDefinition and policy with the YAML comments in this `file`; YEAR as in --header-file"},
		{Section: generate, Name: "year", Once: true, Value: &g.Year, Usage: "replace YEAR in headers by this `year`"},
		{Section: generate, Name: "output-root", Once: true, Value: &g.OutputRoot, Meaning: Path, Usage: "write Go files below this `folder`, by import path, instead of into their packages"},
		{Section: generate, Name: "import-alias", Once: true, Value: &g.ImportAlias, Valid: validAlias, Usage: "import `old=new` in generated Go files: new instead of old, and the packages below new instead of those below old; can be repeated"},
		{Section: generate, Name: "crd-dir", Once: true, Commands: []string{generate, breaking, dev}, Value: &g.CRDDir, Meaning: Path, Usage: "write CustomResourceDefinitions to this `folder`"},
		{Section: generate, Name: "policy-dir", Once: true, Commands: []string{generate, dev}, Value: &g.PolicyDir, Meaning: Path, Usage: "write policies that normalise unions and warn of deprecated fields to this `folder`; an empty one writes none"},
		{Section: generate, Name: "policy-actions", Once: true, Value: &g.PolicyActions, Values: []string{"Warn", "Audit", "Deny"}, Noun: "action", Usage: "write the rules of kinds to ValidatingAdmissionPolicies with these `actions`, instead of to CustomResourceDefinitions: [Warn] shows what rules would refuse, before they do"},
		{Section: generate, Name: "webhook-dir", Once: true, Commands: []string{generate, dev}, Value: &g.WebhookDir, Meaning: Path, Usage: "write the configurations of the admission webhooks that kinds need to this `folder`, such as config/webhook; they call the service of --conversion-webhook, by default system/webhook-service like kubebuilder's"},
		{Section: generate, Name: "webhook-certificates", Once: true, Value: &g.WebhookCertificates, Values: emit.CertificateSources(), Noun: "source", Usage: "also write kustomizations to --webhook-dir that run the webhooks, with certificates from these `sources`: cert-manager, self-managed; hand-written files there stay"},
		{Section: generate, Name: "manager-manifests", Once: true, Value: &g.ManagerManifests, Meaning: Path, Usage: "the `files and folders` with the Deployment of your manager and its permissions, such as config/manager, for --webhook-certificates, --chart-dir and --olm-dir"},
		{Section: generate, Name: "chart-dir", Once: true, Value: &g.ChartDir, Meaning: Path, Usage: "write a Helm chart with definitions, webhooks and your manager to this `folder`, such as charts/shop"},
		{Section: generate, Name: "olm-dir", Once: true, Value: &g.OLMDir, Meaning: Path, Usage: "write a kustomize component for ClusterServiceVersions of the Operator Lifecycle Manager to this `folder`, such as config/olm"},
		{Section: generate, Name: "max-desc-len", Once: true, Value: &g.MaxDescription, Usage: "shorten descriptions in CustomResourceDefinitions to this number of `bytes`, at the end of a sentence or word; 0 omits them (default unlimited)"},
		{Section: generate, Name: "max-crd-size", Once: true, Value: &g.MaxCRDSize, Valid: validSize, Usage: "leave out descriptions in CustomResourceDefinitions, the deepest first, until each has this number of `bytes` as JSON: 262144, 256Ki (default unlimited)"},
		{Section: generate, Name: "slim-crd-dir", Once: true, Value: &g.SlimCRDDir, Meaning: Path, Usage: "also write CustomResourceDefinitions without descriptions to this `folder`; with --max-crd-size, those of that size, and complete ones to --crd-dir"},
		{Section: generate, Name: "tight-bounds", Once: true, Commands: []string{generate, breaking, dev}, Value: &g.TightBounds, Usage: "write the strictest of the bounds on a type and on its field, instead of allOf, whose bounds API servers ignore when they estimate the cost of rules"},
		{Section: generate, Name: "embedded-object-meta", Once: true, Commands: []string{generate, breaking, dev}, Value: &g.EmbeddedMeta, Usage: "write the fields of metadata within objects, such as that of templates; without them API servers prune the metadata"},
		{Section: generate, Name: "publish-tags", Once: true, Value: &g.PublishTags, Usage: "with arguments of controller-gen, also publish rules, unions and defaults of markers that controller-gen does not read; without these arguments they always are"},

		{Section: lint, Name: "enable", Once: true, Value: &s.Lint.Enable, Values: all, Noun: "convention", Usage: "also check these `conventions`, which only reviewers of Kubernetes' own APIs expect: " + strings.Join(off, ", ")},
		{Section: lint, Name: "disable", Once: true, Value: &s.Lint.Disable, Values: all, Noun: "convention", Usage: "do not check these `conventions`: " + strings.Join(on, ", ")},
		{Section: lint, Name: "baseline", Value: &s.Lint.Baseline, Meaning: Path, Usage: "do not report the diagnostics in this `file`, only others; entries that are no longer reported are warnings"},

		{Section: breaking, Name: "against", Value: &s.Breaking.Against, Usage: "compare with the CustomResourceDefinitions in this file or folder, or with this git `revision` (default the folder that generate writes to)"},

		{Section: validate, Name: "strict", Value: &s.Validate.Strict, Usage: "report unknown fields and duplicate keys"},
		{Section: validate, Name: "skip-unknown", Value: &s.Validate.SkipUnknown, Usage: "skip objects whose kind is not defined"},

		{Section: validate, Name: "allow-empty", Value: &s.Validate.AllowEmpty, Usage: "accept files and folders without manifests"},

		{Section: test, Name: "types", Value: &s.Test.Types, Meaning: Packages, Usage: "test the rules of the Go types in these `packages`"},
		{Section: test, Name: "all-rules", Value: &s.Test.AllRules, Usage: "report rules that no case breaks as errors"},
		{Section: test, Name: "allow-empty", Value: &s.Test.AllowEmpty, Usage: "accept files and folders without cases"},
	}
}

// conventions returns the names of the conventions that lint alone checks: those that are on, and
// off, by default.
func conventions() (on, off []string) {
	for _, l := range driver.Lints() {
		switch {
		case l.Always:
		case l.Upstream:
			off = append(off, l.Name)
		default:
			on = append(on, l.Name)
		}
	}
	return on, off
}

// emitters returns the names of all emitters.
func emitters() []string {
	var names []string
	for _, e := range driver.Emitters() {
		names = append(names, e.Name)
	}
	return names
}

// Key returns the option's key in its section: the flag's name in lower camel case.
func (o *Option) Key() string {
	words := strings.Split(o.Name, "-")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// Of reports whether a command has the option.
func (o *Option) Of(command string) bool {
	if len(o.Commands) == 0 {
		return o.Section == command
	}
	return slices.Contains(o.Commands, command)
}

func validWebhook(text string) error {
	_, err := emit.ParseConversionWebhook(text)
	return err
}

func validVersionsDir(text string) error {
	_, err := api.ParseVersionsDir(text)
	return err
}

func validAlias(text string) error {
	_, err := gofile.ParseAliases([]string{text})
	return err
}

func validSize(text string) error {
	_, err := emit.ParseSize(text)
	return err
}

// Check returns an error if the option does not allow a text.
func (o *Option) Check(text string) error {
	if o.Valid != nil && text != "" {
		return o.Valid(text)
	}
	if o.Values == nil || slices.Contains(o.Values, text) {
		return nil
	}
	return spell.Unknown(o.Noun, text, o.Values)
}

// numeric reports whether a string of the option may be written as a number, such as a year.
func (o *Option) numeric() bool { return o.Values == nil && o.Meaning == Text }

// Texts returns the texts of a string or a list.
func (o *Option) Texts() []string {
	switch v := o.Value.(type) {
	case *string:
		return []string{*v}
	case *[]string:
		return *v
	}
	return nil
}

// Sentence returns the meaning of the option for readers of the file.
func (o *Option) Sentence() string {
	text := strings.ReplaceAll(o.Usage, "`", "")
	text = strings.TrimSuffix(text, "; can be repeated")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

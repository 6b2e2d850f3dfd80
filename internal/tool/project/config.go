package project

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// Model returns the packages that the settings select.
func (s *Settings) Model(files *source.FS) driver.ModelConfig {
	return driver.ModelConfig{Patterns: s.Packages, BuildTags: s.BuildTags, Dependencies: rule.Policy(s.DependencyRules), VersionsDir: s.VersionsDir, Files: files}
}

// Enabled returns the options that API servers enable, nil if the project does not say it.
func (s *Settings) Enabled() map[string]bool {
	if s.EnableOptions == nil {
		return nil
	}
	options := map[string]bool{}
	for _, name := range s.EnableOptions {
		options[name] = true
	}
	return options
}

// Config returns what generate and lint read, and as what.
func (s *Settings) Config(files *source.FS) driver.Config {
	g := s.Generate
	cfg := driver.Config{
		ModelConfig: s.Model(files), Projection: rule.Projection{Options: s.EnableOptions, Level: rule.Level(s.Level)},
		CRDDir: g.CRDDir, SlimCRDDir: g.SlimCRDDir, PolicyDir: g.PolicyDir, WebhookDir: g.WebhookDir, OpenAPIDir: g.OpenAPIDir,
		Certificates: g.WebhookCertificates, Manager: g.ManagerManifests, ChartDir: g.ChartDir, OLMDir: g.OLMDir,
		PolicyActions: g.PolicyActions, Settings: s.places,
		CRDs: emit.CRDs{WithoutRules: len(g.PolicyActions) > 0 && g.PolicyDir != "", Slim: g.SlimCRDDir != ""},
	}
	cfg.CRDs.BareObjectMeta, cfg.CRDs.TightBounds = !g.EmbeddedMeta, g.TightBounds
	cfg.ReadOnly, cfg.Lowered = s.ReadOnly, s.Diagnostics
	cfg.Aliases, _ = gofile.ParseAliases(g.ImportAlias)
	if g.MaxDescription >= 0 {
		cfg.CRDs.MaxDescription = &g.MaxDescription
	}
	// Texts with mistakes are reported.
	if size, err := emit.ParseSize(g.MaxCRDSize); err == nil {
		cfg.CRDs.MaxSize = size
	}
	if webhook, err := emit.ParseConversionWebhook(s.ConversionWebhook); err == nil {
		webhook.Certificate = s.ConversionCertificate
		cfg.CRDs.Conversion = webhook
	}
	return cfg
}

// LintConfig returns what lint reads, apart from the baseline.
func (s *Settings) LintConfig(files *source.FS) driver.LintConfig {
	config := driver.LintConfig{Config: s.Config(files), Enable: s.Lint.Enable, Disable: s.Lint.Disable}
	config.Only, config.Skip = s.Generate.Only, s.Generate.Skip
	return config
}

// Known reports whether the settings are known apart from those with a mistake, which have their defaults: a command then
// reports mistakes in packages, too. They are not if kindsmith.yaml cannot be parsed.
func Known(bag *diag.Bag) bool {
	return !bag.HasAny(manifest.Codes())
}

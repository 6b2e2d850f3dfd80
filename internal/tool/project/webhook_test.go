package project_test

import (
	"path/filepath"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/tool/project"
)

var webhookCode = func() diag.Code {
	codes := diag.Protect(diag.Everything)
	return codes.New("webhook/missing", "A kind has no webhook.")
}()

// TestWebhookConsequences has mistakes in settings, and whether a missing conversion webhook follows from them.
func TestWebhookConsequences(t *testing.T) {
	for text, follows := range map[string]bool{
		"conversionWebhook: bad":                     true,
		"conversionWebhook: [a]":                     true,
		"conversionWebhok: a/b":                      true,
		"generate: {conversionWebhook: a/b}":         true,
		"a: [":                                       true,
		"- a":                                        true,
		"level: foo":                                 false,
		"generate: {crdDir: [x]}":                    false,
		"generate: x":                                false,
		"lvel: beta":                                 false,
		"lint: {disable: [nope]}":                    false,
		"conversionCertificate: bad":                 false,
		"level: foo\nconversionWebhook: bad":         true,
		"generate: {crdDir: [x]}\nlint: {a: [nope]}": false,
	} {
		dir := t.TempDir()
		files := source.NewFS(map[string][]byte{filepath.Join(dir, project.FileName): []byte(text + "\n")})
		bag, s := &diag.Bag{}, project.Default()
		bag.Warnf(source.Span{}, webhookCode, "no webhook").RestsOn(emit.Configured)
		if err := s.Read(files, dir, func(*project.Option) bool { return false }, bag); err != nil {
			t.Fatal(err)
		}
		if !bag.HasErrors() {
			t.Errorf("%s: no mistake", text)
		}
		if got := !shows(bag); got != follows {
			t.Errorf("%s: the report of the webhook follows: %t", text, got)
		}
	}
}

// shows reports whether a bag shows the report of the webhook.
func shows(bag *diag.Bag) bool {
	for _, d := range bag.All() {
		if d.Code == webhookCode {
			return true
		}
	}
	return false
}

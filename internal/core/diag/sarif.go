package diag

import (
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// The used part of SARIF 2.1.0, with the names and the order of the standard
// (docs.oasis-open.org/sarif/sarif/v2.1.0).
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool                `json:"tool"`
		BaseIDs    map[string]sarifArtifact `json:"originalUriBaseIds,omitempty"`
		ColumnKind string                   `json:"columnKind"`
		Results    []sarifResult            `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string     `json:"id"`
		ShortDescription sarifText  `json:"shortDescription"`
		FullDescription  sarifText  `json:"fullDescription"`
		HelpURI          string     `json:"helpUri,omitempty"`
		Help             *sarifText `json:"help,omitempty"`
	}
	sarifResult struct {
		RuleID           string            `json:"ruleId"`
		RuleIndex        int               `json:"ruleIndex"`
		Level            string            `json:"level"`
		Message          sarifText         `json:"message"`
		Locations        []sarifLocation   `json:"locations,omitempty"`
		RelatedLocations []sarifLocation   `json:"relatedLocations,omitempty"`
		Fixes            []sarifFix        `json:"fixes,omitempty"`
		Properties       map[string]string `json:"properties,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		ID               *int          `json:"id,omitempty"`
		PhysicalLocation sarifPhysical `json:"physicalLocation"`
		Message          *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifFix struct {
		Description     sarifText     `json:"description"`
		ArtifactChanges []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		ArtifactLocation sarifArtifact      `json:"artifactLocation"`
		Replacements     []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		DeletedRegion   sarifRegion `json:"deletedRegion"`
		InsertedContent sarifText   `json:"insertedContent"`
	}
)

func renderSARIF(w io.Writer, list []*Diagnostic, opts Options) error {
	driver := sarifDriver{
		Name:           "kindsmith",
		Version:        opts.Version,
		InformationURI: "https://github.com/kindsmith/kindsmith",
		Rules:          []sarifRule{},
	}
	results := []sarifResult{} // an empty list means no diagnostics, null means no run
	index := map[Code]int{}
	for _, d := range list {
		if _, listed := index[d.Code]; !listed {
			index[d.Code] = len(driver.Rules)
			driver.Rules = append(driver.Rules, sarifRuleOf(d.Code, opts))
		}
		results = append(results, opts.sarifResultOf(d, index[d.Code]))
	}
	var bases map[string]sarifArtifact
	if opts.Root != "" {
		bases = map[string]sarifArtifact{repository: {URI: fileURI(opts.Root) + "/"}}
	}
	return writeJSON(w, sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs: []sarifRun{{
			Tool:       sarifTool{Driver: driver},
			BaseIDs:    bases,
			ColumnKind: "unicodeCodePoints",
			Results:    results,
		}},
	})
}

// repository is the name that SARIF viewers know for the root of the repository.
const repository = "%SRCROOT%"

func sarifRuleOf(code Code, opts Options) sarifRule {
	full := code.Page()
	short, _, _ := strings.Cut(full, ". ")
	rule := sarifRule{
		ID: code.String(), ShortDescription: sarifText{Text: strings.TrimSuffix(short, ".") + "."}, FullDescription: sarifText{Text: full},
	}
	if opts.Help != nil {
		page, uri := opts.Help(code)
		rule.Help, rule.HelpURI = &sarifText{Text: page}, uri
	}
	return rule
}

func (o Options) sarifResultOf(d *Diagnostic, ruleIndex int) sarifResult {
	result := sarifResult{
		RuleID:     d.Code.String(),
		RuleIndex:  ruleIndex,
		Level:      levelOf(d.Severity, "note"),
		Properties: propertyMap(d.Properties),
	}
	text := d.Message
	if !d.Span.IsZero() {
		result.Locations = []sarifLocation{{PhysicalLocation: o.sarifPhysicalOf(d.Span)}}
	}
	for _, n := range d.Notes {
		if n.Span.IsZero() { // viewers list related locations by position
			text += "\nnote: " + n.Message
			continue
		}
		id := len(result.RelatedLocations)
		result.RelatedLocations = append(result.RelatedLocations, sarifLocation{
			ID:               &id,
			PhysicalLocation: o.sarifPhysicalOf(n.Span),
			Message:          &sarifText{n.Message},
		})
	}
	result.Message = sarifText{text}
	if d.Fix != nil && len(d.Fix.Edits) > 0 {
		result.Fixes = []sarifFix{o.sarifFixOf(d.Fix)}
	}
	return result
}

// sarifFixOf groups the edits of a fix by file, in order of first appearance.
func (o Options) sarifFixOf(f *Fix) sarifFix {
	fix := sarifFix{Description: sarifText{f.Message}}
	index := map[*source.File]int{}
	for _, e := range f.Edits {
		at := o.sarifPhysicalOf(e.Span)
		i, listed := index[e.Span.File]
		if !listed {
			i = len(fix.ArtifactChanges)
			index[e.Span.File] = i
			fix.ArtifactChanges = append(fix.ArtifactChanges, sarifChange{ArtifactLocation: at.ArtifactLocation})
		}
		change := &fix.ArtifactChanges[i]
		change.Replacements = append(change.Replacements, sarifReplacement{
			DeletedRegion:   at.Region,
			InsertedContent: sarifText{e.NewText},
		})
	}
	return fix
}

func (o Options) sarifPhysicalOf(s source.Span) sarifPhysical {
	start, end := inCharacters(s)
	return sarifPhysical{
		ArtifactLocation: o.sarifArtifactOf(s.File.Path),
		Region: sarifRegion{
			StartLine: start.Line, StartColumn: start.Column,
			EndLine: end.Line, EndColumn: end.Column,
		},
	}
}

// sarifArtifactOf returns the location of a file, relative to the repository if it is in it.
func (o Options) sarifArtifactOf(name string) sarifArtifact {
	if rel, ok := o.inRepository(name); ok {
		return sarifArtifact{URI: fileURI(rel), URIBaseID: repository}
	}
	return sarifArtifact{URI: fileURI(name)}
}

// fileURI returns a path as a URI reference: relative paths stay relative, absolute paths become
// file URIs, and reserved characters are percent-encoded.
func fileURI(name string) string {
	name = slashed(name)
	uri := url.URL{Path: path.Clean(name)}
	switch {
	case path.IsAbs(name):
		uri.Scheme = "file"
	case len(name) > 2 && name[1] == ':' && name[2] == '/': // C:/dir
		uri.Scheme, uri.Path = "file", "/"+uri.Path
	}
	if uri.Scheme == "file" {
		return "file://" + uri.EscapedPath()
	}
	return uri.String()
}

// slashed returns a path with forward slashes, on every system, because tests render paths of other
// systems. Paths of Go files have no other backslashes.
func slashed(name string) string { return strings.ReplaceAll(name, `\`, "/") }

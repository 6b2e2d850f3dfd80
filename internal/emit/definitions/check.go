package definitions

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/expr/typed"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/schema"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/api/equality"
	dns "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// check validates a definition with the server's own code, and reports each error at its cause in
// the source. It first removes automatic defaults that the server would reject.
func (b *builder) check(crd *apiextensionsv1.CustomResourceDefinition, fam family) error {
	for i, m := range fam.versions {
		if err := b.schemas.Settle(m.typ, crd.Spec.Versions[i].Schema.OpenAPIV3Schema); err != nil {
			return err
		}
	}
	// Some errors hide others, so each round removes what the previous one reported, until there
	// are no new errors.
	in := crd.DeepCopy()
	for round := 0; round < maxRounds; {
		errs, err := b.serverErrors(in)
		if err != nil {
			return err
		}
		if b.cheapen(crd, in, fam, errs) {
			continue // each rule is replaced once
		}
		round++
		dropped := false
		slices.SortFunc(errs, func(x, y *field.Error) int { return cmp.Compare(x.Error(), y.Error()) })
		for _, e := range withoutEchoes(errs) {
			b.refused(crd, fam, e)
		}
		for _, e := range errs {
			dropped = drop(in, e) || dropped
		}
		if !dropped {
			return nil
		}
	}
	return nil
}

// separate writes the selectable fields of the last version in another order if all versions have the same ones: API servers
// then read them as those of the definition, which has no schema if those of the versions differ.
func (b *builder) separate(crd *apiextensionsv1.CustomResourceDefinition) {
	list := crd.Spec.Versions
	last := &list[len(list)-1]
	differ := slices.ContainsFunc(list, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
		return !equality.Semantic.DeepEqual(v.Schema, last.Schema)
	})
	same := !slices.ContainsFunc(list, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
		return !slices.Equal(v.SelectableFields, last.SelectableFields)
	})
	if differ && same && !b.options.ControllerGen {
		last.SelectableFields = slices.Clone(last.SelectableFields)
		slices.Reverse(last.SelectableFields)
	}
}

// maxRounds is the maximum number of validations of a definition.
const maxRounds = 5

// serverErrors is like the function serverErrors, but caches accepted definitions.
func (b *builder) serverErrors(crd *apiextensionsv1.CustomResourceDefinition) (field.ErrorList, error) {
	content, err := json.Marshal(crd)
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256(content)
	if b.accepted[key] {
		return nil, nil
	}
	errs, err := serverErrors(crd)
	if err == nil && len(errs) == 0 {
		b.accepted[key] = true
	}
	return errs, err
}

// serverErrors returns the server's errors for creating a definition.
func serverErrors(crd *apiextensionsv1.CustomResourceDefinition) (field.ErrorList, error) {
	in := crd.DeepCopy()
	apiextensionsv1.SetDefaults_CustomResourceDefinition(in)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&in.Spec)
	var internal apiextensions.CustomResourceDefinition
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(in, &internal, nil); err != nil {
		return nil, fmt.Errorf("convert %s: %w", crd.Name, err)
	}
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			internal.Status.StoredVersions = []string{v.Name} // like the server on a create
			break
		}
	}
	return validation.ValidateCustomResourceDefinition(context.Background(), &internal), nil
}

// refused reports one error of the server.
func (b *builder) refused(crd *apiextensionsv1.CustomResourceDefinition, fam family, e *field.Error) {
	path := schema.Steps(e.Field)
	version, rest := versionAt(path, len(fam.versions))
	m := fam.versions[version]
	c := complaintOf(e)
	below := inSchema(rest)
	switch c.code {
	case codeStorage:
		b.storage(fam)
		return
	case codeSelectable:
		advice := "select another field, too, and kindsmith writes them in another order in one version"
		if b.options.ControllerGen {
			advice = "select other fields in one version, or write the markers in another order there"
		}
		b.diags.Errorf(kindSpan(m.typ, rest), c.code, "API servers refuse kind %s: its versions have the same selectable fields, and other schemas; %s", fam.kind, advice)
		return
	}
	if below == nil {
		if slices.Contains([]string{"spec.group", "metadata.name"}, e.Field) && len(dns.IsDNS1123Subdomain(crd.Spec.Group)) > 0 {
			return // checkGroup reports it, once for all kinds
		}
		report := b.diags.Errorf
		if c.later {
			report = b.diags.Warnf
		}
		report(kindSpan(m.typ, rest), c.code, "the API server rejects %s: %s", e.Field, c.message(e))
		return
	}
	at := b.schemas.Locate(m.typ, crd.Spec.Versions[version].Schema.OpenAPIV3Schema, below)
	if at.Field != nil && b.schemas.IsGap(at.Field.TypeSpan) {
		return
	}
	span := b.schemas.Span(at)
	marker, message := span, c.message(e)
	if m := compileError.FindStringSubmatch(strings.Join(strings.Fields(e.Detail), " ")); m != nil {
		message, span = mistake(at, span, m)
	}
	if c.code == codeRuleTransition {
		b.refusedTransition(span, at, c)
		return
	}
	if p := b.schemas.InheritedFrom(span); p != nil && c.cost {
		message += fmt.Sprintf("; the rule is in another module, %s: --dependency-rules=%s leaves out rules in CEL of other modules", cmp.Or(p.Module, p.Path), rule.KeywordRules)
	}
	d := b.schemas.In(m.pkg.Path).Errorf(span, c.code, "the API server rejects this: %s", message)
	switch c.code {
	case codeRule:
		d.Voids(diag.Meaning(marker))
	case codeDefault:
		d.RestsOn(diag.Meaning(marker)) // the check of defaults says more
	}
	if c.cost {
		b.noteUnbounded(d, at)
	}
}

// refusedTransition reports a rule on old and new values that the server cannot correlate. It
// ignores lists whose keys were removed because of another mistake.
func (b *builder) refusedTransition(span source.Span, at schema.Place, c complaint) {
	list := unpaired(at)
	if list.Field == nil {
		return
	}
	b.diags.Errorf(span, c.code, "the API server rejects oldSelf in %s.%s, whose old and new values it does not correlate; %s",
		list.Owner.Name, list.Field.Name, c.advice).
		Note(list.Field.Span, "%s is here", list.Field.Name)
}

// mistake says what the compiler reports about a rule: line, column and message. It returns the text in the marker that is
// wrong, if the marker has the rule without escapes.
func mistake(at schema.Place, marker source.Span, report []string) (string, source.Span) {
	rule := at.Rule()
	column, err := strconv.Atoi(report[2])
	if err != nil || report[1] != "1" || rule == "" {
		return "the rule does not compile: " + report[3], marker
	}
	offset := 0
	for i := range rule { // columns are characters
		if column--; column <= 0 {
			break
		}
		offset = i + 1
	}
	var names []string
	collectNames(at.Schema, &names)
	message, text := typed.Mistake(rule, report[3], offset, names)
	if text.Start == text.End { // at the end of the rule
		text.Start--
	}
	if start := strings.Index(marker.Text(), rule); start >= 0 {
		marker = marker.Sub(start+text.Start, start+text.End)
	}
	return "the rule does not compile: " + message, marker
}

// collectNames collects the fields of a value and of all values in it.
func collectNames(s *props, names *[]string) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		field := s.Properties[name]
		*names = append(*names, name)
		collectNames(&field, names)
	}
	if s.Items != nil && s.Items.Schema != nil {
		collectNames(s.Items.Schema, names)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		collectNames(s.AdditionalProperties.Schema, names)
	}
}

// unpaired returns the outermost enclosing list or map whose values the server does not correlate.
func unpaired(at schema.Place) schema.Place {
	for _, p := range at.Above {
		atomicMap := p.Schema.XMapType != nil && *p.Schema.XMapType == "atomic"
		looseList := p.Schema.Type == schema.Array && (p.Schema.XListType == nil || *p.Schema.XListType != "map")
		if atomicMap || looseList {
			return p
		}
	}
	return schema.Place{}
}

// versionAt returns the version of a path, and the path in it. Paths common to all versions belong
// to the first.
func versionAt(path []schema.Step, versions int) (int, []schema.Step) {
	if len(path) < 2 || path[0].Name != "spec" {
		return 0, path
	}
	if path[1].Name == "versions" && len(path) > 2 && path[2].Index {
		i := 0
		if _, err := fmt.Sscan(path[2].Name, &i); err == nil && i < versions {
			return i, path[3:]
		}
	}
	return 0, path[1:]
}

// inSchema returns the rest of a path in the schema of a version; nil if it is not in there.
func inSchema(path []schema.Step) []schema.Step {
	for i, s := range path {
		if s.Name == "openAPIV3Schema" {
			return append([]schema.Step{}, path[i+1:]...)
		}
	}
	return nil
}

// kindMarkers are the markers on a kind, by the part of the definition that they set.
var kindMarkers = map[string]string{
	"additionalPrinterColumns": foreign.PrintColumn,
	"selectableFields":         foreign.SelectableField,
	"subresources":             foreign.Subresource,
	"names":                    foreign.Resource,
	"scope":                    foreign.Resource,
	"deprecationWarning":       deprecatedVersionMarker,
	"annotations":              foreign.Metadata,
	"labels":                   foreign.Metadata,
}

// kindSpan returns the marker on the kind for a path outside the schema, else the kind's name.
func kindSpan(t *model.Type, path []schema.Step) source.Span {
	for i, s := range path {
		prefix, ok := kindMarkers[s.Name]
		if !ok {
			continue
		}
		n := 0
		if i+1 < len(path) && path[i+1].Index {
			_, _ = fmt.Sscan(path[i+1].Name, &n) // text is the first
		}
		var found []source.Span
		for _, m := range t.Markers {
			if strings.HasPrefix(m.Name, prefix) {
				found = append(found, m.Span)
			}
		}
		if n < len(found) {
			return found[n]
		}
	}
	return t.Span
}

// storage reports a kind with no storage version, or with several.
func (b *builder) storage(fam family) {
	var marked []model.Marker
	for _, m := range fam.versions {
		for _, k := range m.typ.Markers {
			if k.Name == foreign.StorageVersion {
				marked = append(marked, k)
			}
		}
	}
	if len(marked) < 2 {
		d := b.diags.Errorf(fam.lead.typ.Span, codeStorage, "kind %s has several versions, and none is the storage version; add +%s to the kind in one version", fam.kind, foreign.StorageVersion)
		for _, m := range fam.versions {
			d.RestsOn(tag.VersionsOf(m.pkg))
			for _, v := range m.pkg.Versions {
				d.RestsOn(diag.Meaning(v.Span))
			}
		}
		return
	}
	d := b.diags.Errorf(marked[1].Span, codeStorage, "kind %s has several storage versions; remove +%s from all but one", fam.kind, foreign.StorageVersion)
	for _, k := range slices.Delete(marked, 1, 2) {
		d.Note(k.Span, "also marked here")
	}
}

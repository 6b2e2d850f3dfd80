// Package structtag reports mistakes in the struct tags of fields, which encoding/json ignores.
package structtag

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeSyntax    = codes.New("structtag/syntax", "The struct tag is malformed, so encoding/json ignores it or what follows. A struct tag is a list of `key:\"value\"`, separated by spaces.")
	codeOption    = codes.New("structtag/option", "encoding/json does not know the option, so it has no effect. The options are `omitempty`, `omitzero` and `string`; Kubernetes adds `inline`. No space precedes an option.")
	codeName      = codes.New("structtag/name", "encoding/json ignores the name in the json tag, or the name is not the intended one.")
	codeDuplicate = codes.Firm().New("structtag/duplicate", "Two fields of a struct have the same JSON name, so encoding/json omits both. Rename one.")
)

// Definition returns the convention.
func Definition() *lint.Definition {
	return &lint.Definition{
		Name: "structtag", Always: true,
		Summary: "The json tags of API types mean what they say.",
		Doc: "encoding/json ignores what it does not understand in a struct tag: an option with a space before it, a misspelt option, a name without quotes. " +
			"API types are the kinds, all types that they use, and structs with kindsmith's tags on their fields.",
		Good: tag.Code(`
			Size *int32 \'json:"size,omitempty"\'`),
		Bad: tag.Code(`
			Size *int32 \'json:"size, omitempty"\' // always encoded`),
		Codes: codes.All(),
		Run:   run,
	}
}

func run(pass *lint.Pass) {
	for t := range lint.APITypes(pass.Model) {
		names := map[string]*model.Field{}
		for _, f := range t.Fields {
			check(f, pass.Diags)
			first, twice := names[f.JSON]
			switch {
			case f.Skipped || f.JSON == "":
			case twice:
				pass.Diags.Errorf(f.TagSpan, codeDuplicate, "fields %s and %s of %s have the same JSON name, %q, so encoding/json omits both; rename one", first.Name, f.Name, t.Name, f.JSON).
					Note(first.Span, "the other field").Voids(diag.Meaning(f.TagSpan))
			default:
				names[f.JSON] = f
			}
		}
	}
}

// pair matches one key with its value at the start of a struct tag.
var pair = regexp.MustCompile(`^([^\x00-\x20 ":]+):("(?:[^"\\]|\\.)*")`)

// check reports the first mistake in the tag of a field.
func check(f *model.Field, bag *diag.Bag) {
	seen := map[string]bool{}
	for rest := strings.TrimLeft(f.StructTag, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		m := pair.FindStringSubmatch(rest)
		if m == nil {
			bag.Warnf(span(f, rest), codeSyntax, "the struct tag is malformed, so encoding/json ignores it; write %s", corrected(rest))
			return
		}
		key := m[1]
		value, err := strconv.Unquote(m[2])
		switch {
		case err != nil:
			bag.Warnf(span(f, m[0]), codeSyntax, "the struct tag is malformed, so encoding/json ignores it; write `%s:\"…\"`", key)
			return
		case key == "json" && seen[key]:
			bag.Warnf(span(f, m[0]), codeSyntax, "the struct tag has two json keys, and encoding/json reads only the first; remove one")
			return
		case key == "json":
			value := value
			checkJSON(f, value, bag)
		case strings.EqualFold(key, "json"):
			bag.Warnf(span(f, key), codeSyntax, "encoding/json ignores the key %s; write json", key)
		}
		seen[key] = true
		rest = rest[len(m[0]):]
	}
}

// corrected returns a malformed tag as its author probably meant it.
func corrected(text string) string {
	key, value, ok := strings.Cut(text, ":")
	value = strings.Trim(strings.TrimSpace(value), `"'`)
	if !ok || value == "" || strings.ContainsAny(value, " \"'") {
		return "key:\"value\", separated by spaces"
	}
	return "`" + strings.TrimSpace(key) + ":" + strconv.Quote(value) + "`"
}

// options are those of encoding/json, and the one that Kubernetes adds.
var options = map[string]bool{"omitempty": true, "omitzero": true, "string": true, "inline": true, "": true}

// nameForm matches the names that encoding/json accepts.
var nameForm = regexp.MustCompile(`^[\pL\pN!#$%&()*+\-./:;<=>?@\[\]^_{|}~ ]*$`)

func checkJSON(f *model.Field, value string, bag *diag.Bag) {
	name, rest, listed := strings.Cut(value, ",")
	switch {
	case name == "-" && listed && rest == "":
		bag.Warnf(span(f, value), codeName, "the JSON name of field %s is \"-\"; to exclude the field from JSON, write %q", f.Name, "-")
		return
	case strings.Contains(name, ";"):
		bag.Warnf(span(f, value), codeName, "an option follows a comma; write %q", strings.ReplaceAll(value, ";", ","))
		return
	case !nameForm.MatchString(name):
		bag.Warnf(span(f, value), codeName, "encoding/json ignores the name %q; use letters and digits", name)
		return
	}
	for o := range strings.SplitSeq(rest, ",") {
		if options[o] {
			continue
		}
		d := bag.Warnf(span(f, o), codeOption, "encoding/json ignores %q", o)
		meant := strings.TrimSpace(o)
		if !options[meant] {
			meant = spell.Certain(meant, slices.Sorted(maps.Keys(options)))
		}
		if meant == "" {
			d.Message += "; the options are omitempty, omitzero and string"
			continue
		}
		d.Message += "; write " + strconv.Quote(meant)
		d.Suggest(d.Span, meant, "write %s", meant)
	}
}

// span returns the last occurrence of a text in the tag of a field, else the tag.
func span(f *model.Field, text string) source.Span {
	if i := strings.LastIndex(f.TagSpan.Text(), text); i >= 0 && text != "" {
		return f.TagSpan.Sub(i, i+len(text))
	}
	return f.TagSpan
}

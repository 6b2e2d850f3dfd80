package explain

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/tool/controllergen"
)

// markerPage is the page of a marker of controller-gen.
func (x *Index) markerPage(m controllergen.Marker) string {
	p := &page{}
	p.line("+" + m.Name + usageOf(m))
	p.prose(sentence(m.Summary, m.Name))
	p.details(m.Details)
	facts := [][2]string{{"marker of", "controller-gen, " + m.Category}, {"used on", strings.Join(m.On, ", ")}}
	if m.Category == "" {
		facts[0][1] = "controller-gen"
	}
	for _, a := range m.Arguments {
		of := a.Type
		if !a.Optional {
			of += ", required"
		}
		if a.Doc != "" {
			of += " — " + oneLine(a.Doc)
		}
		facts = append(facts, [2]string{cmp.Or(a.Name, "value"), of})
	}
	p.facts(facts)
	p.prose("kindsmith: " + support(m))
	if t := x.counterpart(m.Name); t != "" {
		p.prose("The tag +" + t + " has the same meaning, and generated Go enforces it. See `kindsmith explain " + t + "`.")
	} else if tag, how := x.similar(m.Name); tag != "" {
		p.prose("The tag +" + tag + " has a similar meaning, written " + how + ", and generated Go enforces it. See `kindsmith explain " + tag + "`.")
	} else if isRuleAlone(m.Name) {
		p.prose("No tag has this meaning, and you need none: keep the marker.")
	} else if m.Instead != "" {
		p.prose("controller-gen prefers +" + m.Instead + ".")
	}
	return p.String()
}

// details writes the paragraphs of controller-gen's documentation, and its examples as they are.
func (p *page) details(text string) {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if !isExample.MatchString(paragraph) {
			p.prose(paragraph)
			continue
		}
		p.line("")
		for line := range strings.SplitSeq(strings.TrimSpace(paragraph), "\n") {
			p.line(strings.TrimRight("    "+strings.TrimPrefix(line, "\t"), " \t"))
		}
	}
}

// isExample matches paragraphs of Go.
var isExample = regexp.MustCompile(`(?m)^\s*(//|type \w+ (struct|=)|[A-Z]\w* [\w*\[\].]+$|\})`)

// usageOf returns how the arguments of a marker are written.
func usageOf(m controllergen.Marker) string {
	var args []string
	for _, a := range m.Arguments {
		if a.Name == "" {
			return "=<" + a.Type + ">"
		}
		arg := a.Name + "=<" + a.Type + ">"
		if a.Optional {
			arg = "[" + arg + "]"
		}
		args = append(args, arg)
	}
	if len(args) == 0 {
		return ""
	}
	return ":" + strings.Join(args, ",")
}

// sentence returns a summary of controller-gen, which begins with a verb, as a sentence.
func sentence(summary, name string) string {
	if summary = oneLine(summary); summary == "" {
		return "controller-gen does not describe the marker."
	}
	return "+" + name + " " + summary
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// support is what kindsmith does with a marker.
func support(m controllergen.Marker) string {
	switch category, _, _ := strings.Cut(m.Category, " "); {
	case foreign.IsCEL(m.Name) && strings.HasSuffix(m.Name, xValidation):
		return "CustomResourceDefinitions have the rule, and generated Go enforces it; see `kindsmith explain " + xValidation + "`."
	case foreign.IsCEL(m.Name):
		return "CustomResourceDefinitions have the rule, as controller-gen writes it, and generated Go enforces it."
	case foreign.IsRule(m.Name):
		return "CustomResourceDefinitions have the rule, as controller-gen writes it. Generated Go does not enforce it."
	case foreign.Reshapes(m.Name):
		return "CustomResourceDefinitions have the changed schema, as controller-gen writes it."
	case category == "object":
		return "selects the types that get deep copies, as in controller-gen, and the kinds that are registered."
	case category == "RBAC":
		return "`kindsmith generate rbac:roleName=<name> paths=./...` runs controller-gen's generator."
	case category == "Webhook":
		return "`kindsmith generate webhook paths=./...` runs controller-gen's generator. With `webhookDir` in kindsmith.yaml, the webhooks of kinds need no marker; a marker at the path of a kind replaces its webhook."
	case category == "apply":
		return "`kindsmith generate applyconfiguration paths=./...` runs controller-gen's generator."
	}
	return "read for CustomResourceDefinitions, with the meaning that it has in controller-gen."
}

// roles are the markers of controller-gen whose counterpart is a tag with a role, instead of one for a keyword of schemas.
var roles = map[string]model.Role{
	foreign.KubebuilderRequired: model.RoleRequired, foreign.Required: model.RoleRequired,
	foreign.KubebuilderOptional: model.RoleOptional, foreign.Optional: model.RoleOptional,
	foreign.ListType: model.RoleListType, foreign.ListMapKey: model.RoleListMapKey,
}

// counterpart returns the name of the tag that means what a marker means; "" if there is none.
func (x *Index) counterpart(name string) string {
	if role, ok := roles[name]; ok {
		return x.tags.WithRole(role)
	}
	keyword, ok := strings.CutPrefix(name, foreign.KubebuilderValidation)
	if d := x.tags.ForKeyword(strings.TrimPrefix(keyword, "items:")); ok && d != nil {
		if strings.HasPrefix(name, foreign.KubebuilderItems) {
			return "" // the tag is for the items, in another tag
		}
		return d.Name
	}
	return ""
}

// written are the rules of controller-gen whose tag is written in another way: the role of the tag, its value, and how it is
// written.
var written = map[string]struct {
	role       model.Role
	value, how string
}{
	"Enum":             {model.RoleEnum, "", "on a string type with a constant for each value"},
	"ExclusiveMaximum": {model.RoleExclusiveMaximum, "<bound>", "with the bound as its value"},
	"ExclusiveMinimum": {model.RoleExclusiveMinimum, "<bound>", "with the bound as its value"},
	"UniqueItems":      {model.RoleUnique, "set", "with the value `set`"},
	"ExactlyOneOf":     {model.RoleUnionMember, "", "on each of the fields"},
	"AtMostOneOf":      {model.RoleZeroOrOneOfMember, "", "on each of the fields"},
}

// isRuleAlone reports whether generated Go enforces a rule of controller-gen that has no tag.
func isRuleAlone(name string) bool {
	return foreign.IsCEL(name) && !strings.HasSuffix(name, xValidation)
}

// similar returns the name of a tag with a similar meaning, and how it is written; "" if there is none.
func (x *Index) similar(name string) (tag, how string) {
	keyword, ok := strings.CutPrefix(name, foreign.KubebuilderValidation)
	if !ok {
		return "", ""
	}
	if item, ok := strings.CutPrefix(name, foreign.KubebuilderItems); ok {
		if inner := x.counterpart(foreign.KubebuilderValidation + item); inner != "" {
			return x.tags.WithRole(model.RoleEachVal), "with the value `+" + inner + "`"
		}
		switch w, ok := written[item]; {
		case !ok:
			return "", ""
		case w.role == model.RoleEnum:
			return x.tags.WithRole(w.role), "on the type of the items, " + strings.TrimPrefix(w.how, "on ")
		default:
			return x.tags.WithRole(model.RoleEachVal), "with the value `+" + x.tags.WithRole(w.role) + "=" + w.value + "`"
		}
	}
	w, ok := written[keyword]
	if !ok {
		return "", ""
	}
	return x.tags.WithRole(w.role), w.how
}

// marker returns the marker of controller-gen that a name means, with or without its arguments and its prefixes; not ok
// if there is none.
func marker(name string) (controllergen.Marker, bool) {
	for _, prefix := range []string{"", foreign.KubebuilderPrefix, foreign.KubebuilderValidation} {
		if m, ok := controllergen.MarkerNamed(prefix + name); ok {
			return m, true
		}
	}
	return controllergen.Marker{}, false
}

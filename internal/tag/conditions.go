package tag

import (
	"regexp"
	"slices"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
)

// option is a tag that makes another's rules depend on an option of the API server.
type option struct {
	on bool
	// check is the function of the runtime that reports an option that is not
	// defined, silent the one that does not.
	check, silent string
}

var options = map[string]option{
	"k8s:ifEnabled":        {true, "IfEnabled", "Enabled"},
	"k8s:ifOptionEnabled":  {true, "IfEnabled", "Enabled"},
	"k8s:ifDisabled":       {false, "IfDisabled", "Disabled"},
	"k8s:ifOptionDisabled": {false, "IfDisabled", "Disabled"},
}

// levels are the tags that say how firmly a rule holds, with the function of
// the runtime that marks its errors.
var levels = map[string]string{"k8s:alpha": "Alpha", "k8s:beta": "Beta"}

// Conditional returns rules as they hold under a tag that is a condition.
func Conditional(c *model.Constraint, rules []Rule) []Rule {
	out := make([]Rule, 0, len(rules))
	for _, r := range rules {
		if !r.Conditioned {
			r = conditional(c, r)
		}
		out = append(out, r)
	}
	return out
}

func conditional(c *model.Constraint, r Rule) Rule {
	one := []Rule{r}
	if _, ok := options[c.Name]; ok {
		one = When(one, func(e *Exprs) string {
			expr := optionIs(e, c)
			if !e.Silent && r.stops() { // that there is no such option is an error of the rule's
				expr = e.shortCircuit(expr)
			}
			return expr
		})
		one[0].IfReports = true
		one[0].Known = func(e *Exprs) string { return optionKnown(e, c, r.Known) }
	} else {
		one = Wrap(one, func(e *Exprs, check string) string { return marked(e, c, check) })
	}
	return one[0]
}

// optionIs returns an expression that says whether an option is as a tag wants it.
func optionIs(e *Exprs, c *model.Constraint) string {
	o := options[c.Name]
	if e.Silent {
		return e.Validate(o.silent) + "(" + e.Run + ", " + Quote(c.ArgText("")) + ")"
	}
	return e.Call(o.check, Quote(c.ArgText("")))
}

// optionKnown returns an expression that says whether an option is defined and,
// where it is as a tag wants it, the inner condition is known too.
func optionKnown(e *Exprs, c *model.Constraint, inner func(e *Exprs) string) string {
	expr := e.Validate("Defined") + "(" + e.Run + ", " + Quote(c.ArgText("")) + ")"
	if inner == nil {
		return expr
	}
	silent := *e
	silent.Silent = true
	return both(expr, "("+Not(optionIs(&silent, c))+" || "+inner(e)+")")
}

// marked returns a check whose errors are of a level.
func marked(e *Exprs, c *model.Constraint, check string) string {
	return e.Validate(levels[c.Name]) + "(" + e.Run + ", " + e.Run + ".Mark(), " + check + ")"
}

// Options returns the tags on options among the conditions that a tag is under.
func Options(under []*model.Constraint) []*model.Constraint {
	var found []*model.Constraint
	for _, c := range under {
		if _, ok := options[c.Name]; ok {
			found = append(found, c)
		}
	}
	return found
}

// Level returns the tag that says how firmly a tag under conditions holds, nil
// where it always does. The outermost one counts.
func Level(under []*model.Constraint) *model.Constraint {
	i := slices.IndexFunc(under, func(c *model.Constraint) bool { return levels[c.Name] != "" })
	if i < 0 {
		return nil
	}
	return under[i]
}

// Weakest returns, of two tags that say how firmly something holds, the one that
// says it less firmly; nil is always.
func Weakest(a, b *model.Constraint) *model.Constraint {
	if b == nil || a != nil && a.Name == "k8s:alpha" {
		return a
	}
	return b
}

// OptionsAre returns an expression that says whether all options are as the
// tags want them; "" when there are none. Conditions in seen were asked about
// before, and report no more.
func OptionsAre(e *Exprs, under []*model.Constraint, seen map[string]bool) string {
	expr := ""
	for _, c := range Options(under) {
		asked := *e
		asked.Silent = e.Silent || seen[c.ArgText("")]
		if seen != nil {
			seen[c.ArgText("")] = true
		}
		one := optionIs(&asked, c)
		if level := Level(under); level != nil && !asked.Silent {
			one = marked(e, level, one)
		}
		if expr != "" {
			one = both(expr, one)
		}
		expr = one
	}
	return expr
}

// AtLevel returns a check whose errors are of the level that a tag says; a nil
// tag says none.
func AtLevel(e *Exprs, level *model.Constraint, check string) string {
	if level == nil {
		return check
	}
	return marked(e, level, check)
}

// ConditionalSchema applies what is behind a condition, where the schema is for
// API servers that it holds on.
func ConditionalSchema(n *Node, c *model.Constraint, s *Schema) {
	holds, reason := s.Projection.Holds(c)
	switch {
	case holds:
		ApplySchema(n, c.Inner, s)
	case reason != "":
		s.Unprojectable(reason)
	}
}

var kubernetesVersion = regexp.MustCompile(`^[0-9]+\.[0-9]+$`)

// CheckSince reports an argument since that is no version of Kubernetes.
func CheckSince(code diag.Code, c *model.Constraint, bag *diag.Bag) {
	if v := c.Arg("since"); v != nil && !kubernetesVersion.MatchString(v.Text) {
		bag.Errorf(v.Span, code, "%q is not a version of Kubernetes; write it as \"1.37\"", v.Text)
	}
}

// CheckOption reports an option without a name.
func CheckOption(code diag.Code, c *model.Constraint, bag *diag.Bag) {
	if v := c.Arg(""); v != nil && v.Text == "" {
		bag.Errorf(v.Span, code, "the option has no name; write +%s(<option>)=…", c.Name)
	}
}

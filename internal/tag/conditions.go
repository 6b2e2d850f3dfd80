package tag

import (
	"regexp"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
)

// option is a tag whose inner tag's rules depend on an option of the API server.
type option struct{ on bool }

var options = map[string]option{
	"k8s:ifEnabled":        {true},
	"k8s:ifOptionEnabled":  {true},
	"k8s:ifDisabled":       {false},
	"k8s:ifOptionDisabled": {false},
}

// levels are the tags that say how firmly a rule holds.
var levels = map[string]rule.Level{"k8s:alpha": rule.Alpha, "k8s:beta": rule.Beta}

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

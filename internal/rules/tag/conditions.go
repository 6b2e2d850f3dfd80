package tag

import (
	"regexp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// levels are the roles of stability levels.
var levels = map[model.Role]rule.Level{model.RoleAlpha: rule.Alpha, model.RoleBeta: rule.Beta}

var kubernetesVersion = regexp.MustCompile(`^[0-9]+\.[0-9]+$`)

// CheckSince reports an argument since that is not a Kubernetes version.
func CheckSince(code diag.Code, c *model.Tag, bag *diag.Bag) {
	if v := c.Arg("since"); v != nil && !kubernetesVersion.MatchString(v.Text) {
		bag.Errorf(v.Span, code, "%q is not a version of Kubernetes; write it as \"1.37\"", v.Text)
	}
}

// CheckOption reports an option without a name.
func CheckOption(code diag.Code, c *model.Tag, bag *diag.Bag) {
	if v := c.Arg(""); v != nil && v.Text == "" {
		bag.Errorf(v.Span, code, "the option has no name; write +%s(<option>)=…", c.Name)
	}
}

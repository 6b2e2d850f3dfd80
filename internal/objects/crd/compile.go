package crd

import (
	"context"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/kindsmith/kindsmith/internal/core/diag"
)

// uncompiled is the prefix of the server's errors about rules that do not compile.
const uncompiled = "rule compile error: "

// reportUncompiled reports the rules that do not compile. The server's validator reports them only
// when it runs, so each of its nodes runs once on an empty value. If a node fails, its rules are
// compiled again to find the one.
func (v *version) reportUncompiled(bag *diag.Bag) {
	if v.celValidator != nil {
		v.probe(v.celValidator, v.root, true, bag)
	}
}

func (v *version) probe(c *cel.Validator, n *schemaNode, root bool, bag *diag.Bag) {
	if n == nil {
		return
	}
	alone := *c
	alone.Items, alone.Properties, alone.AdditionalProperties, alone.AllOfValidators = nil, nil, nil, nil
	errs, _ := alone.Validate(context.Background(), nil, nil, emptyValue(c.Schema.Type), nil, celconfig.RuntimeCELCostBudget)
	for _, err := range errs {
		if strings.HasPrefix(err.Detail, uncompiled) {
			v.compileAgain(c, n, root, bag)
			break
		}
	}
	if c.Items != nil {
		v.probe(c.Items, n.items, c.Schema.Items.XEmbeddedResource, bag)
	}
	if c.AdditionalProperties != nil {
		v.probe(c.AdditionalProperties, n.values, c.Schema.AdditionalProperties.Structural.XEmbeddedResource, bag)
	}
	for name, property := range c.Properties {
		schema := c.Schema.Properties[name]
		v.probe(&property, n.properties[name], schema.XEmbeddedResource, bag)
	}
}

// compileAgain compiles the rules of one schema and reports those that do not compile.
func (v *version) compileAgain(c *cel.Validator, n *schemaNode, root bool, bag *diag.Bag) {
	results, err := cel.Compile(c.Schema, model.SchemaDeclType(c.Schema, root), celconfig.PerCallLimit,
		environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()), cel.StoredExpressionsEnvLoader())
	if err != nil {
		bag.Errorf(n.place.Key(), codeRule, "the rules do not compile: %v", err)
		return
	}
	i := 0
	for _, r := range n.rules {
		if r.cel == nil {
			continue
		}
		if i < len(results) && results[i].Error != nil {
			bag.Errorf(r.Span, codeRule, "the rule does not compile: %s", celMessage(results[i].Error.Detail))
		}
		i++
	}
}

// celMessage extracts the error from the compiler's message, which also repeats the source.
func celMessage(detail string) string {
	detail = strings.TrimPrefix(detail, "compilation failed: ")
	var lines []string
	for _, line := range strings.Split(detail, "\n") {
		if after, ok := strings.CutPrefix(line, "ERROR: <input>:"); ok {
			_, message, _ := strings.Cut(after, ": ")
			lines = append(lines, message)
		}
	}
	if len(lines) == 0 {
		return oneLine(detail)
	}
	return strings.Join(lines, "; ")
}

// emptyValue returns an empty value of a type.
func emptyValue(schemaType string) any {
	switch schemaType {
	case "object":
		return map[string]any{}
	case "array":
		return []any{}
	case "integer":
		return int64(0)
	case "number":
		return float64(0)
	case "boolean":
		return false
	}
	return ""
}

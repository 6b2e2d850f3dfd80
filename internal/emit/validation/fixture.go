package validation

import (
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/source"
)

// FixtureName is the name of the test file in a package that asks for one.
const FixtureName = "zz_generated.validations_test.go"

// fixture returns the test file of a package that asks for one: it compares
// which tags that always fail are reached with what is kept in testdata. The
// scheme builder of the package has the test, as that of k8s.io/code-generator's
// testscheme does.
func fixture(c *emit.Context) ([]emit.File, error) {
	value, ok := emit.MarkerValue(c.Package.Markers, foreign.ValidationGenFixture)
	if !ok {
		return nil, nil
	}
	builder, hasBuilder := emit.SchemeBuilder(c.Package)
	switch {
	case value != "validateFalse":
		c.Diags.Errorf(fixtureSpan(c), codeUnknownFixture, "unknown test fixture %q; write validateFalse", value)
		return nil, nil
	case !hasBuilder:
		c.Diags.Errorf(fixtureSpan(c), codeNoSchemeBuilder, "the test needs localSchemeBuilder, which the package does not declare; declare it, or remove the marker")
		return nil, nil
	}
	f := c.NewFile()
	f.P("func TestValidation(t *", f.Ident("testing", "T"), ") {")
	f.P(builder, ".Test(t).ValidateFixtures()")
	f.P("}")
	content, err := f.Bytes()
	if err != nil {
		return nil, err
	}
	return []emit.File{{Name: FixtureName, Content: content}}, nil
}

func fixtureSpan(c *emit.Context) source.Span {
	for _, m := range c.Package.Markers {
		if m.Name == foreign.ValidationGenFixture {
			return m.Span
		}
	}
	return c.Package.Span
}

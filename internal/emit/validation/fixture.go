package validation

import (
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
)

// FixtureName is the name of the generated test file.
const FixtureName = "zz_generated.validations_test.go"

// fixture returns the test file of a package with +k8s:validation-gen-test-fixture: it compares the
// errors of tags that always fail with testdata. The test is a method of the package's scheme
// builder, like that of testscheme in k8s.io/code-generator.
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
	f.Block("func TestValidation(t *"+f.Ident("testing", "T")+") {", func() {
		f.P(builder, ".Test(t).ValidateFixtures()")
	})
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

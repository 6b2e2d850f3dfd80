package model

import "slices"

// The parts of generated code that +versioned:skip omits.
const (
	PartConversion    = "conversion"
	PartConvertReview = "convertReview"
	PartMergedCRD     = "mergedCRD"
	PartRegister      = "register"
	PartRoundTrip     = "roundTrip"
)

// Parts lists the parts. Those of KindParts are generated for kinds only.
var (
	Parts     = []string{PartConversion, PartRegister, PartMergedCRD, PartConvertReview, PartRoundTrip}
	KindParts = []string{PartMergedCRD, PartConvertReview, PartRoundTrip}
)

// Skips reports whether +versioned:skip(...) omits a part.
func Skips(list []*Tag, part string) bool {
	return slices.ContainsFunc(Find(list, RoleSkip), func(c *Tag) bool { return slices.Contains(c.Skipped(), part) })
}

// Skipped returns the parts that a +versioned:skip(...) omits.
func (c *Tag) Skipped() []string {
	var parts []string
	for _, a := range c.Args {
		switch {
		case a.Name == "":
			parts = append(parts, a.Value.Text)
		case a.Value.Text != "false":
			parts = append(parts, a.Name)
		}
	}
	return parts
}

// ConversionPrefix begins the names of functions that convert types between two packages.
const ConversionPrefix = "Convert_"

// ConversionFunc returns the name of the function that converts a type of one package to a type of another, in the
// convention of conversion-gen.
func ConversionFunc(from *Package, in string, to *Package, out string) string {
	return ConversionPrefix + from.Name + "_" + in + "_To_" + to.Name + "_" + out
}

// ConversionAlias returns the name of the exported alias of an unexported type of the newest version's package, by
// which generated types in the packages of older versions name it.
func ConversionAlias(name string) string { return "Conversion_" + name }

// IsConverted reports whether conversions convert a field of a struct: one that is exported, or an embedded struct whose
// fields are promoted.
func (m *Model) IsConverted(f *Field) bool { return f.Exported() || m.Promotes(f) }

// Promotes reports whether a field is unexported, but an embedded struct with promoted fields.
func (m *Model) Promotes(f *Field) bool {
	return !f.Exported() && f.Embedded && !f.Skipped && f.Type.Kind == KindNamed && f.Type.Name == f.Name && m.Underlying(f.Type).Kind == KindStruct
}

// IsTypeMeta reports whether a field of a kind is its TypeMeta.
func (t *Type) IsTypeMeta(f *Field) bool {
	return t.Kind != nil && f.Embedded && f.Type.ID() == TypeMeta
}

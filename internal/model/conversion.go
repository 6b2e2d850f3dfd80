package model

// The parts of generated code that +versioned:skip omits.
const (
	PartConversion    = "conversion"
	PartConvertReview = "convertReview"
	PartMergedCRD     = "mergedCRD"
	PartRegister      = "register"
	PartRoundTrip     = "roundTrip"
)

// Skips reports whether +versioned:skip(...) omits a part.
func Skips(list []*Tag, part string) bool {
	for _, c := range Find(list, RoleSkip) {
		for _, a := range c.Args {
			if a.Name == part && a.Value.Text != "false" || a.Name == "" && a.Value.Text == part {
				return true
			}
		}
	}
	return false
}

// ConversionPrefix begins the names of functions that convert types between two packages.
const ConversionPrefix = "Convert_"

// ConversionFunc returns the name of the function that converts a type between two packages, in the
// convention of conversion-gen.
func ConversionFunc(from, to *Package, name string) string {
	return ConversionPrefix + from.Name + "_" + name + "_To_" + to.Name + "_" + name
}

// IsTypeMeta reports whether a field of a kind is its TypeMeta.
func (t *Type) IsTypeMeta(f *Field) bool {
	return t.Kind != nil && f.Embedded && f.Type.ID() == TypeMeta
}

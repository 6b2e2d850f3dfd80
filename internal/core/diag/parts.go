package diag

// Parts is a set of outputs of a run. A code declares which parts it protects: those that would be
// wrong, or could not be used, if the run ignored the diagnostic.
type Parts uint32

// The outputs of a run, one for each emitter; Manifests are those of controller-gen's generators.
const (
	DeepCopy Parts = 1 << iota
	Definitions
	Policies
	Deprecations
	RulePolicies
	OpenAPI
	Validation
	Coverage
	Defaults
	Unions
	Versions
	Conversion
	RoundTrip
	Helpers
	Register
	Webhooks
	Kustomize
	Chart
	OLM
	Manifests

	// Everything is every part. Codes that have nothing to do with output protect it, too: their
	// severity never depends on what a run writes.
	Everything = Manifests<<1 - 1
	// Rules are the parts that enforce rules about values.
	Rules = Definitions | Policies | OpenAPI | Validation | Coverage | Unions
	// Shapes are the parts that depend on what a marker says about the shape of an object: list types,
	// unions, defaults, and versions. Deep copies and registration depend only on Go types.
	Shapes = Rules | Defaults | Versions | Conversion | RoundTrip | Helpers
	// Separate are the parts that no other part is wrong without, apart from those that are made from them. An error
	// about only these blocks no other file.
	Separate = Policies | Deprecations | OpenAPI | Coverage | Helpers | Webhooks | Kustomize | Chart | OLM | Manifests
)

// madeFrom are the parts with copies of files of others, or with references to them.
var madeFrom = []struct{ parts, from Parts }{
	{Helpers, Definitions},
	{Kustomize | Chart | OLM, Definitions | Policies | Deprecations | RulePolicies | Webhooks | Manifests},
}

// Scope is what a run is about. It decides the severity of diagnostics.
type Scope struct {
	// Requested are the parts that the run writes.
	Requested Parts
	// Used are the parts that the project has, also those that other runs write.
	Used Parts
	// Lowered are the reasons why errors of some codes are warnings, by code. Firm codes stay errors.
	Lowered map[string]string
	// Accepts reports whether an error is a warning since another tool writes the output all the same. It may be nil.
	Accepts func(*Diagnostic) bool
}

// Blocks reports whether a diagnostic is an error in the scope.
func (s *Scope) Blocks(d *Diagnostic) bool {
	return d.Severity == Error && d.Code.protects&s.Requested != 0 && !s.Lowers(d.Code) && (s.Accepts == nil || !s.Accepts(d))
}

// Lowers reports whether errors of a code are warnings for the project's own reason.
func (s *Scope) Lowers(c Code) bool { return !c.firm && s.Lowered[c.id] != "" }

// Errors returns how many of a bag's diagnostics are errors in the scope.
func (s *Scope) Errors(b *Bag) int {
	n := 0
	for _, d := range b.list {
		if s.Blocks(d) {
			n++
		}
	}
	return n
}

// Blocked returns the parts that the run does not write because of a bag's errors. It is Everything if an error may be a
// mistake in files of several parts, since these must agree.
func (s *Scope) Blocked(b *Bag) Parts {
	var blocked Parts
	for _, d := range b.list {
		if !s.Blocks(d) {
			continue
		}
		about := d.Code.protects & s.Requested
		if about&^Separate != 0 && !d.Code.limit {
			return Everything
		}
		blocked |= about
	}
	for _, made := range madeFrom {
		if blocked&made.from != 0 {
			blocked |= made.parts & s.Requested
		}
	}
	return blocked
}

// Of returns the diagnostics of a bag in a new one, with their severity in the scope. It omits those about parts
// that the project does not have, and hints about those that the run does not write. The diagnostics of the given bag do not change.
func (s *Scope) Of(b *Bag) *Bag {
	out := &Bag{}
	for _, d := range b.list {
		if d.Code.protects&(s.Requested|s.Used) == 0 || d.Severity == Hint && d.Code.protects&s.Requested == 0 {
			continue
		}
		if d.Severity == Error && !s.Blocks(d) {
			lowered := *d
			lowered.Severity = Warning
			if s.Lowers(d.Code) {
				lowered.Notes = append(lowered.Notes[:len(d.Notes):len(d.Notes)], Note{Message: "a warning in this project: " + s.Lowered[d.Code.id]})
			}
			d = &lowered
		}
		out.Add(d)
	}
	return out
}

// Without returns the diagnostics of a bag in a new one, without those that a function selects.
func (b *Bag) Without(leave func(*Diagnostic) bool) *Bag {
	out := &Bag{}
	for _, d := range b.list {
		if !leave(d) {
			out.Add(d)
		}
	}
	return out
}

// Append adds the diagnostics of another bag.
func (b *Bag) Append(other *Bag) {
	for _, d := range other.list {
		b.Add(d)
	}
}

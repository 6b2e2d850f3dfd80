package versions_test

import (
	"fmt"
	"strings"
	"testing"
)

// pairs are types between which transforms convert.
var pairs = []struct{ first, second, transform string }{
	{"metav1.Duration", "int64", "seconds"},
	{"string", "int32", "milliseconds"},
	{"resource.Quantity", "int64", "quantity(Mi)"},
	{"string", "int64", "quantity"},
	{"string", "int32", "integer"},
	{"string", "bool", "bool"},
	{"Level", "string", "case(kebab)"},
	{"string", "Named", "field(name)"},
	{"string", "Optional", "field(name)"},
	{"map[string]int32", "[]Entry", "keyed(key, value)"},
}

const transformTypes = `
// +k8s:enum
type Level string

const (
	LevelLow  Level = "LowLevel"
	LevelHigh Level = "HighLevel"
)

type Named struct {
	Name string ` + "`json:\"name\"`" + `
}

type Optional struct {
	Name string ` + "`json:\"name,omitempty\"`" + `
}

type Entry struct {
	Key   string ` + "`json:\"key\"`" + `
	Value int32  ` + "`json:\"value\"`" + `
}
`

// transforms returns an API with each transform between types that are pointers or not, with each option of the JSON
// encoding, of fields that changed, moved, and were annotations. The types have a pair each.
func transforms() string {
	const perKind = 24
	var b strings.Builder
	b.WriteString("// Package v1 has all transforms.\n//\n// +groupName=transforms.example.com\n// +versioned:version(name: \"v1beta1\")\n// +versioned:version(name: \"v1\")\npackage v1\n")
	b.WriteString(strings.TrimPrefix(header, "package v1\n") + transformTypes)
	var specs []string
	n := 0
	for _, p := range pairs {
		for inverted := range 2 {
			older, hub := p.first, p.second
			if inverted == 1 {
				older, hub = hub, older
			}
			for pointers := range 4 {
				from, to := strings.Repeat("*", pointers&1)+older, strings.Repeat("*", pointers>>1)+hub
				if strings.ContainsAny(older, "[") && pointers > 0 {
					continue
				}
				for _, omit := range []string{"", ",omitempty", ",omitzero"} {
					n++
					name := fmt.Sprintf("T%d", n)
					optional := "// +optional\n"
					if omit == "" {
						optional = ""
					}
					fmt.Fprintf(&b, "\ntype Changed%s struct {\n// +versioned:changed(since: \"v1\", fromType: %q, transform: %q)\n%sX %s `json:\"x%s\"`\n}\n", name, from, p.transform, optional, to, omit)
					fmt.Fprintf(&b, "\ntype Inner%[1]s struct {\n// +optional\nOther string `json:\"other,omitempty\"`\n}\n\ntype Moved%[1]s struct {\n// +optional\nIn %[6]sInner%[1]s `json:\"in,omitempty\"`\n// +versioned:moved(since: \"v1\", fromPath: \".in.x\", fromType: %[2]q, transform: %[3]q)\n%[4]sX %[5]s `json:\"x%[7]s\"`\n}\n",
						name, from, p.transform, optional, to, []string{"*", ""}[n%2], omit)
					specs = append(specs, fmt.Sprintf("// +optional\n%[1]sChanged *Changed%[1]s `json:\"%[2]sChanged,omitempty\"`\n// +optional\n%[1]sMoved *Moved%[1]s `json:\"%[2]sMoved,omitempty\"`\n", name, strings.ToLower(name)))
					if pointers&1 == 0 && (older == "string" && hub != "string" || older == "metav1.Duration" || older == "resource.Quantity") { // its JSON is a string
						specs[len(specs)-1] += fmt.Sprintf("// +versioned:moved(since: \"v1\", fromPath: \"metadata.annotations['example.com/%[2]s']\", transform: %[3]q)\n%[4]s%[1]sEntry %[5]s `json:\"%[2]sEntry%[6]s\"`\n",
							name, strings.ToLower(name), p.transform, optional, to, omit)
					}
				}
			}
		}
	}
	for i := 0; i < len(specs); i += perKind {
		name := fmt.Sprintf("Kind%d", i/perKind+1)
		fmt.Fprintf(&b, "\ntype %[1]sSpec struct {\n%[2]s}\n\n// +kubebuilder:object:root=true\ntype %[1]s struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\tSpec %[1]sSpec `json:\"spec\"`\n}\n",
			name, strings.Join(specs[i:min(i+perKind, len(specs))], ""))
	}
	return b.String()
}

// TestTransforms checks that what transforms convert comes back, also unset and zero values.
func TestTransforms(t *testing.T) {
	run(t, map[string]string{"v1/types.go": transforms()}, 150)
}

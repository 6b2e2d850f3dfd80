package marker_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/front/marker"
)

func TestScan(t *testing.T) {
	for _, tc := range []struct {
		name string
		text string
		want []string // "name|text"
	}{
		{"lines", "// Prose.\n// +optional\n//+k8s:maxLength=5 # why  \n", []string{"optional|optional", "k8s:maxLength|k8s:maxLength=5 # why"}},
		{"indented", "// a\n\t//   +b\n\t\t//\t+c", []string{"b|b", "c|c"}},
		{"carriage returns", "// +a\r\n// +b=1\r\n", []string{"a|a", "b|b=1"}},
		{"block", "/* +a\n+b\n\n   +c=1\t*/", []string{"a|a", "b|b", "c|c=1"}},
		{"decorated block", "/**\n * +a\n *\n * text\n *+b\n */", []string{"a|a", "b|b"}},
		{"one-line blocks", "/* +a */ /** +b */ // +c", []string{"a|a", "b|b", "c|c"}},
		{"bullets in a block", "/*\ntext\n* +a\n+b\n*/", []string{"b|b"}},
		{"block without an end", "/* +a", []string{"a|a"}},
		{"where names end", "// +a(b)=c\n// +a=b\n// +a b\n// +a#b\n// +a: b\n// +a::=5", []string{"a|a(b)=c", "a|a=b", "a|a b", "a|a#b", "a|a: b", "a|a::=5"}},
		{"other families", "// +kubebuilder:validation:XValidation:rule=\"a=b\"\n// +genclient:noStatus\n// +a/b.c",
			[]string{`kubebuilder:validation:XValidation:rule|kubebuilder:validation:XValidation:rule="a=b"`, "genclient:noStatus|genclient:noStatus", "a/b.c|a/b.c"}},
		{"a space after the sign", "// + k8s:required", []string{"k8s:required| k8s:required"}},
		{"prose", "// +1\n// + item\n// + see: this\n// ++\n// +\n// a +b\n// + https://x.io\n//", nil},
		{"not a comment", "+a", nil},
		{"nothing", "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, markers := scan(tc.text)
			var got []string
			for _, m := range markers {
				got = append(got, m.Name+"|"+m.Text)
				checkMarker(t, m)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("markers (-want +got):\n%s", diff)
			}
		})
	}
}

// checkMarker checks that a marker's spans are those of its texts.
func checkMarker(t *testing.T, m marker.Marker) {
	t.Helper()
	if got := m.Span.Text(); got != "+"+m.Text {
		t.Errorf("span is of %q, text is %q", got, m.Text)
	}
	if got := m.NameSpan.Text(); got != m.Name || m.Name == "" {
		t.Errorf("name's span is of %q, name is %q", got, m.Name)
	}
	if strings.Contains(m.Text, "\n") {
		t.Errorf("text %q is of more than a line", m.Text)
	}
}

// The comment may be anywhere in its file.
func TestScanInFile(t *testing.T) {
	const before, comment = "package a\n\ntype T struct {\n\t", "// é\n\t// +a=1"
	file := source.NewFile("a.go", []byte(before+comment+"\n\tF int\n}\n"))
	markers := marker.Scan(file.Span(len(before), len(before)+len(comment)))
	if len(markers) != 1 || markers[0].Span.String() != "a.go:5:5" {
		t.Errorf("markers: %v", markers)
	}
	if markers := marker.Scan(source.Span{}); markers != nil {
		t.Errorf("markers of no place: %v", markers)
	}
}

func TestProse(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
	}{
		{"paragraphs", "// One.\n// +a\n//\n// Two,\n// +b\n// three.\n//\n// +c", "One.\n\nTwo,\nthree.\n"},
		{"indentation", "// Text:\n//\n//\tcode\n\t//   more", "Text:\n\n\tcode\n  more\n"},
		{"directives", "// Text.\n//go:generate x\n//nolint:all\n// +a", "Text.\n"},
		{"block", "/*\nOne.\n\n+a\n  Two.\n*/", "One.\n\n  Two.\n"},
		{"decorated block", "/**\n * One.\n * +a\n *\n *   Two.\n */", "One.\n\n  Two.\n"},
		{"bullets", "/*\ntext\n* a\n* b\n*/", "text\n* a\n* b\n"},
		{"carriage returns", "// One.\r\n// +a\r\n//\r\n// Two.\r\n", "One.\n\nTwo.\n"},
		{"only markers", "// +a\n// +b", ""},
		{"nothing", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			span, _ := scan(tc.text)
			if diff := cmp.Diff(tc.want, marker.Prose(span)); diff != "" {
				t.Errorf("prose (-want +got):\n%s", diff)
			}
		})
	}
}

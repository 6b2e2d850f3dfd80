package diag_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

func TestCodes(t *testing.T) {
	codes := diag.Protect(diag.Rules)
	negative := codes.New("maxlength/negative", "A length is 0 or more.")
	large := codes.New("maxlength/too-large", "No object holds that much.")
	if negative.String() != "maxlength/negative" || negative.Page() != "A length is 0 or more." {
		t.Errorf("code %q with the page %q", negative, negative.Page())
	}
	if all := codes.All(); !slices.Equal(all, []diag.Code{negative, large}) {
		t.Errorf("the set holds %v", all)
	}
	file := source.NewFile("x.go", []byte("package x"))
	var bag diag.Bag
	bag.Errorf(file.Span(0, 7), negative, "wrong")
	if !bag.Has(file.Span(0, 7), negative) || bag.Has(file.Span(0, 7), large) || bag.Has(file.Span(0, 6), negative) {
		t.Error("the bag mistakes one code or place for another")
	}
}

func TestWrongDeclarations(t *testing.T) {
	for name, tc := range map[string]struct{ id, page, want string }{
		"no owner":      {"negative", "A page.", "not of the form"},
		"upper case":    {"maxlength/Negative", "A page.", "not of the form"},
		"empty":         {"", "A page.", "not of the form"},
		"no page":       {"maxlength/negative", "", "has no page"},
		"twice":         {"maxlength/first", "A page.", "declared twice"},
		"another owner": {"minlength/negative", "A page.", "different owners"},
	} {
		t.Run(name, func(t *testing.T) {
			codes := diag.Protect(diag.Rules)
			codes.New("maxlength/first", "The first page.")
			panics(t, tc.want, func() { codes.New(tc.id, tc.page) })
			if all := codes.All(); len(all) != 1 {
				t.Errorf("the set holds %v", all)
			}
		})
	}
}

func TestBagRefusesTheZeroCode(t *testing.T) {
	var bag diag.Bag
	panics(t, "without a declared code", func() { bag.Errorf(source.Span{}, diag.Code{}, "wrong") })
	if bag.HasErrors() || len(bag.All()) != 0 {
		t.Error("the bag holds the diagnostic")
	}
}

// panics reports an error unless the function panics with a message that contains want.
func panics(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got, _ := recover().(string); !strings.Contains(got, want) {
			t.Errorf("panic %q, want %q", got, want)
		}
	}()
	f()
}

// TestLongText checks that messages do not repeat text of any length.
func TestLongText(t *testing.T) {
	codes := diag.Protect(diag.Rules)
	code := codes.New("sample/long", "A page.")
	bag, text := &diag.Bag{}, strings.Repeat("é", 1<<20)
	d := bag.Errorf(source.Span{}, code, "unknown tag +%s", text).Note(source.Span{}, "not %q", text).Suggest(source.Span{}, text, "write %s", text)
	for _, message := range []string{d.Message, d.Notes[0].Message, d.Fix.Message} {
		if len(message) > 2000 || !strings.Contains(message, "é…") {
			t.Errorf("a message has %d bytes: %.100s", len(message), message)
		}
	}
	if d.Fix.Edits[0].NewText != text {
		t.Error("the fix is cut")
	}
}

func TestScope(t *testing.T) {
	codes := diag.Protect(diag.Definitions)
	definition := codes.New("sample/definition", "A page.")
	copies := codes.For(diag.DeepCopy|diag.Validation).New("sample/copies", "A page.")
	firm := codes.Firm().New("sample/firm", "A page.")
	if all := codes.All(); !slices.Equal(all, []diag.Code{definition, copies, firm}) {
		t.Errorf("the set holds %v", all)
	}
	if definition.Firm() || !firm.Firm() || firm.Protects() != diag.Definitions {
		t.Error("a code has not the properties that it was declared with")
	}
	bag := &diag.Bag{}
	bag.Errorf(source.Span{}, definition, "a").Note(source.Span{}, "a note")
	bag.Errorf(source.Span{}, copies, "b")
	bag.Warnf(source.Span{}, firm, "c")
	for name, tc := range map[string]struct {
		scope diag.Scope
		want  string
	}{
		"everything":        {diag.Scope{Requested: diag.Everything}, "error b, error a, warning c"},
		"one part":          {diag.Scope{Requested: diag.DeepCopy}, "error b"},
		"one part of two":   {diag.Scope{Requested: diag.DeepCopy, Used: diag.Definitions}, "error b, warning a, warning c"},
		"none":              {diag.Scope{Requested: diag.Register}, ""},
		"lowered":           {diag.Scope{Requested: diag.Everything, Lowered: map[string]string{"sample/definition": "because", "sample/firm": "because"}}, "error b, warning a, warning c"},
		"lowered, not used": {diag.Scope{Requested: diag.Validation, Lowered: map[string]string{"sample/definition": "because", "sample/firm": "because"}}, "error b"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			of := tc.scope.Of(bag)
			for _, d := range of.All() {
				got = append(got, d.Severity.String()+" "+d.Message)
				if tc.scope.Lowers(d.Code) && len(d.Notes) != 2 {
					t.Errorf("%s does not give the reason", d.Message)
				}
			}
			if got := strings.Join(got, ", "); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			if of.Errors() != tc.scope.Errors(bag) {
				t.Errorf("%d errors, and %d are counted", of.Errors(), tc.scope.Errors(bag))
			}
		})
	}
	if bag.Errors() != 2 || bag.All()[1].Severity != diag.Error || len(bag.All()[1].Notes) != 1 {
		t.Error("the bag has changed")
	}
}

func TestEverything(t *testing.T) {
	if diag.Everything&diag.Manifests == 0 || diag.Shapes&(diag.DeepCopy|diag.Register|diag.Manifests) != 0 || diag.Rules&^diag.Shapes != 0 {
		t.Error("the sets do not include each other")
	}
}

package rollout_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
	. "github.com/kindsmith/kindsmith/runtime/rollout"
)

var discard = slog.New(slog.DiscardHandler)

func logged(t *testing.T, gates Gates, config Config, handWritten field.ErrorList, declarative func(context.Context) field.ErrorList) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	r := Rollout{Gates: Fixed(gates), Log: slog.New(slog.NewJSONHandler(&out, nil))}
	r.Run(context.Background(), Attempt{
		Kind:        kind,
		Operation:   operation.Operation{Type: operation.Update, Request: operation.Request{Subresources: []string{"status"}}},
		Object:      &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "orders"}},
		Config:      config,
		HandWritten: handWritten,
		Declarative: declarative,
	})
	if strings.Contains(out.String(), "secret") {
		t.Errorf("a value of the object is in the log: %s", out.String())
	}
	var records []map[string]any
	for dec := json.NewDecoder(&out); dec.More(); {
		var record map[string]any
		if err := dec.Decode(&record); err != nil {
			t.Fatal(err)
		}
		if record["level"] != "ERROR" || record["validation"] != "database_status_update" || record["kind"] != "Database" ||
			record["group"] != "db.example.com" || record["version"] != "v1" || record["subresource"] != "status" ||
			record["namespace"] != "shop" || record["name"] != "orders" {
			t.Errorf("does not say what it is about: %v", record)
		}
		records = append(records, record)
	}
	return records
}

func TestMismatchesAreLogged(t *testing.T) {
	spec := field.NewPath("spec")
	handWritten := field.ErrorList{
		field.Invalid(spec.Child("a"), "secret", "").WithOrigin("minLength").MarkCoveredByDeclarative(),
		field.Required(spec.Child("b"), ""),
	}
	declarative := func(context.Context) field.ErrorList {
		return field.ErrorList{
			field.Invalid(spec.Child("a"), "secret", "").WithOrigin("pattern"),
			skew.Marked(field.Invalid(spec.Child("c"), "secret", "").WithOrigin("pattern"), skew.Alpha),
		}
	}
	records := logged(t, DefaultGates(), Config{Migrating: true}, handWritten, declarative)
	if len(records) != 3 {
		t.Fatalf("%d records: %v", len(records), records)
	}
	for i, want := range []struct{ message, path, handWritten, declarative string }{
		{"Hand-written validation reported", "spec.a", `Origin="minLength"`, `Origin="pattern"`},
		{"Declarative validation reported", "spec.a", `Origin="minLength"`, `Origin="pattern"`},
		{"Declarative validation reported", "spec.c", "", `Origin="pattern"`},
	} {
		got := records[i]
		if !strings.HasPrefix(got["msg"].(string), want.message) || got["path"] != want.path {
			t.Errorf("record %d: %v", i, got)
		}
		for side, want := range map[string]string{"handWritten": want.handWritten, "declarative": want.declarative} {
			list := got[side].([]any)
			if want == "" && len(list) != 0 || want != "" && (len(list) != 1 || !strings.Contains(list[0].(string), want)) {
				t.Errorf("record %d: %s is %v, want %q", i, side, list, want)
			}
		}
		if !strings.Contains(got["consequence"].(string), "not affected") {
			t.Errorf("record %d: %v", i, got["consequence"])
		}
	}

	takeover := Gates{DeclarativeValidation: true, DeclarativeValidationTakeover: true}
	for i, affected := range []bool{true, true, false} {
		records := logged(t, takeover, Config{Migrating: true}, handWritten, declarative)
		if got := strings.Contains(records[i]["consequence"].(string), "may be affected"); got != affected {
			t.Errorf("under takeover, record %d: %v", i, records[i]["consequence"])
		}
	}
}

func TestPanicsAreLogged(t *testing.T) {
	for _, takeover := range []bool{false, true} {
		gates := Gates{DeclarativeValidation: true, DeclarativeValidationTakeover: takeover}
		records := logged(t, gates, Config{Migrating: true}, nil, func(context.Context) field.ErrorList { return theCulprit() })
		if len(records) != 1 {
			t.Fatalf("%d records: %v", len(records), records)
		}
		got := records[0]
		if got["panic"] != "oh no" || !strings.Contains(got["stack"].(string), "theCulprit") {
			t.Errorf("%v", got)
		}
		if fails := strings.Contains(got["consequence"].(string), "fails"); fails != takeover {
			t.Errorf("takeover %t: %v", takeover, got["consequence"])
		}
	}
}

func theCulprit() field.ErrorList { panic("oh no") }

func TestNothingIsLoggedWhenBothAgree(t *testing.T) {
	records := logged(t, DefaultGates(), Config{Migrating: true}, field.ErrorList{byHand()},
		func(context.Context) field.ErrorList { return field.ErrorList{declared()} })
	if len(records) != 0 {
		t.Errorf("%v", records)
	}
}

package handwritten_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	"github.com/kindsmith/kindsmith/examples/database/internal/handwritten"
	"github.com/kindsmith/kindsmith/examples/database/internal/offline"
	"github.com/kindsmith/kindsmith/runtime/rollout"
	"github.com/kindsmith/kindsmith/runtime/rollout/rollouttest"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// TestEquivalence tests that the tags and the hand-written validation are equivalent.
func TestEquivalence(t *testing.T) { equivalence(t).Run(t) }

// FuzzEquivalence does the same with go test -fuzz.
func FuzzEquivalence(f *testing.F) { equivalence(f).Fuzz(f) }

func equivalence(t testing.TB) rollouttest.Equivalence[*dbv1.Database] {
	return rollouttest.Equivalence[*dbv1.Database]{
		Pair: rollout.Pair[*dbv1.Database]{
			HandWritten: handwritten.ValidateDatabase,
			Declarative: dbv1.Validate_Database,
		},
		Config: rollout.Config{Migrating: true},
		Corpus: samples(t),
		Prepare: func(db, old *dbv1.Database) {
			dbv1.SetObjectDefaults_Database(db)
			dbv1.NormalizeUnions_Database(union.Request{}, db, old)
		},
	}
}

// samples returns the databases of config/samples, including invalid ones.
func samples(t testing.TB) []*dbv1.Database {
	t.Helper()
	server, err := offline.NewServer()
	if err != nil {
		t.Fatal(err)
	}
	var databases []*dbv1.Database
	for _, pattern := range []string{"*.yaml", "invalid/create/*.yaml", "invalid/update/*.yaml"} {
		files, err := filepath.Glob(filepath.Join("../../config/samples", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("samples: %v, %v", files, err)
		}
		for _, file := range files {
			obj, err := server.DecodeFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if db, ok := obj.(*dbv1.Database); ok {
				databases = append(databases, db)
			}
		}
	}
	return databases
}

// TestPlanted changes the hand-written validation so that it differs from the
// tags. Each difference is found and reported with the smallest database that
// shows it.
func TestPlanted(t *testing.T) {
	for _, tc := range []struct {
		name  string
		plant func(op operation.Operation, db, old *dbv1.Database, errs field.ErrorList) field.ErrorList
		want  string
	}{
		{
			name: "a bound that is off by one",
			plant: func(_ operation.Operation, db, _ *dbv1.Database, errs field.ErrorList) field.ErrorList {
				if backup := db.Spec.Backup; backup != nil && backup.Hour != nil && *backup.Hour == 23 {
					errs = append(errs, field.Invalid(field.NewPath("spec", "backup", "hour"), 23, "must be less than 23").WithOrigin("maximum"))
				}
				return errs.MarkCoveredByDeclarative()
			},
			want: `on create, only hand-written validation reported FieldValueInvalid at spec.backup.hour, origin maximum
object:
    spec:
      backup:
        hour: 23
`,
		},
		{
			name: "a rule of items that was forgotten",
			plant: func(_ operation.Operation, _, _ *dbv1.Database, errs field.ErrorList) field.ErrorList {
				return without(errs, func(e *field.Error) bool {
					return strings.HasSuffix(e.Field, ".passwordSecretName")
				})
			},
			want: `on create, only declarative validation reported FieldValueInvalid at spec.users[*].passwordSecretName, origin format=k8s-long-name
object:
    spec:
      users:
      - passwordSecretName: ""
`,
		},
		{
			name: "a field that may now be changed",
			plant: func(_ operation.Operation, _, _ *dbv1.Database, errs field.ErrorList) field.ErrorList {
				return without(errs, func(e *field.Error) bool {
					return e.Field == "spec.className" && e.Origin == "immutable"
				})
			},
			want: "on update, only declarative validation reported FieldValueInvalid at spec.className, origin immutable\n",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := equivalence(t)
			e.Pair.HandWritten = func(ctx context.Context, op operation.Operation, db, old *dbv1.Database) field.ErrorList {
				return tc.plant(op, db, old, handwritten.ValidateDatabase(ctx, op, db, old))
			}
			r := &recorder{TB: t}
			e.Run(r)
			if len(r.errors) != 1 || !strings.Contains(r.errors[0], tc.want) {
				t.Errorf("found:\n%s\nwant:\n%s", strings.Join(r.errors, "\n"), tc.want)
			}
		})
	}
}

func without(errs field.ErrorList, drop func(*field.Error) bool) field.ErrorList {
	var rest field.ErrorList
	for _, e := range errs {
		if !drop(e) {
			rest = append(rest, e)
		}
	}
	return rest
}

// recorder is a testing.TB that records failures.
type recorder struct {
	testing.TB
	errors []string
}

// Errorf records the failure.
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// Package exampletest has the projects below examples, for tests.
//
// [Load] returns the rules of one, with its model. [Database] is a valid manifest.
package exampletest

import (
	"path/filepath"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// Load returns the rules of the API of an example, such as database.
func Load(t testing.TB, name string) *rule.Programs {
	t.Helper()
	bag := &diag.Bag{}
	cfg := driver.ModelConfig{Dir: filepath.Join(workspacetest.Root(), "examples", name), Patterns: []string{"./api/..."}}
	m, err := driver.Model(cfg, bag)
	if err != nil || bag.HasErrors() {
		t.Fatal(err, bag.All())
	}
	return cfg.Programs(m)
}

// Database is a manifest of the example database that sets no more than it must.
const Database = `apiVersion: db.example.com/v1
kind: Database
metadata:
  name: a
spec:
  engine: Postgres
  version: "17.2"
  storage:
    type: PersistentVolume
    persistentVolume:
      size: 1Gi
`

// Package rollouttest proves, as far as trying can, that declarative validation
// says what hand-written validation says.
//
//	func TestEquivalence(t *testing.T) {
//		equivalence := rollouttest.Equivalence[*v1.Database]{
//			Pair:   rollout.Pair[*v1.Database]{HandWritten: ValidateDatabase, Declarative: v1.Validate_Database},
//			Config: rollout.Config{Migrating: true},
//			Corpus: samples,
//		}
//		equivalence.Run(t)
//	}
//
// Objects of the corpus are changed at random, towards values that are likely to
// matter: what the corpus has, common boundaries, and above all the values and
// boundaries that errors name. When errors differ, the object, or the old and the
// new one, is made as small as it can be while they still differ.
package rollouttest

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"

	"github.com/kindsmith/kindsmith/runtime/rollout"
)

// Equivalence says what is compared, and how. T is a pointer to a type of an API.
type Equivalence[T any] struct {
	// Pair is the two sides.
	Pair rollout.Pair[T]
	// Config says which errors are compared. A kind whose declarative rules all
	// have counterparts sets Migrating.
	Config rollout.Config
	// Corpus are objects to begin with, as users write them: most of them valid,
	// with every part of the type used in some. Run and Fuzz need at least one.
	Corpus []T
	// Prepare does to an object what happens before it is validated, such as
	// setting defaults. On a create, and for the old object, old is nil.
	Prepare func(obj, old T)
	// Operation has the options and the subresource. Its Type is not looked at.
	Operation operation.Operation
	// OnlyUpdates leaves out creates, as for the subresource status.
	OnlyUpdates bool
	// InvalidOld also tries updates of objects that could not be created as they
	// are, as old ones may be that were created under older rules.
	InvalidOld bool
	// Wording also compares the text of errors that match.
	Wording bool
	// Exceptions is the path of a YAML file with the differences that are known,
	// each with a reason:
	//
	//	- field: spec.users[*].name
	//	  handWritten: {type: FieldValueInvalid, origin: format=k8s-short-name}
	//	  declarative: {type: FieldValueRequired}
	//	  reason: Hand-written validation never asked whether there is a name.
	//
	// With one side, the other does not have the error. An object that only one
	// side rejects is a difference whatever the file says.
	Exceptions string
	// Words are texts worth trying in any field.
	Words []string
	// Seed is where the random numbers begin. The same seed tries the same objects.
	Seed uint64
	// Tries is how many objects are tried; 0 is 5000.
	Tries int
}

// Run tries the corpus, and objects made from it, and fails the test with the
// smallest object for each of the differences, up to ten. It also fails if an
// exception was not needed, and if there was nothing to compare.
func (e Equivalence[T]) Run(t testing.TB) {
	t.Helper()
	if s := e.session(t); s != nil && s.hasCorpus(t) {
		s.run(t)
	}
}

// Check compares one object, or with the type Update one change of an object, as
// in the table of a validation's own test. It fails the test as Run does.
func (e Equivalence[T]) Check(t testing.TB, verb operation.Type, obj, old T) {
	t.Helper()
	s := e.session(t)
	if s == nil {
		return
	}
	one := subject{update: verb == operation.Update}
	var err error
	if one.obj, err = treeOf(obj); err == nil && one.update {
		one.old, err = treeOf(old)
	}
	if err != nil {
		t.Fatalf("the object cannot be written as JSON: %v", err)
	}
	s.anyOld = true
	s.check(t, one)
}

// Fuzz is Run for go test -fuzz: the fuzzer decides, guided by coverage, how
// objects are changed. What it finds stays in testdata/fuzz as decisions, which
// mean another object once the corpus or the type has changed.
func (e Equivalence[T]) Fuzz(f *testing.F) {
	f.Helper()
	s := e.session(f)
	if s == nil || !s.hasCorpus(f) {
		return
	}
	s.learn()
	for i := range len(s.pool) {
		f.Add([]byte{byte(i), 0, 1})
	}
	f.Fuzz(func(t *testing.T, decisions []byte) { s.decide(t, decisions) })
}

// Package rollouttest tests that declarative and hand-written validation are
// equivalent, by trying many objects.
//
// An [Equivalence] has both sides; [Equivalence.Run] is the test, and [Equivalence.Fuzz] the same under go test -fuzz.
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
// It mutates the objects of the corpus at random, preferring values that are likely
// to matter: values in the corpus, common boundaries, and the values and boundaries
// that errors name. If the errors of the two sides differ, it shrinks the object, or
// the old and the new object, while they still differ.
package rollouttest

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"

	"github.com/kindsmith/kindsmith/runtime/rollout"
)

// Equivalence configures a comparison. T is a pointer to an API type.
type Equivalence[T any] struct {
	// Pair has the two sides.
	Pair rollout.Pair[T]
	// Config says which errors are compared. Set Migrating for a kind whose
	// declarative rules all have counterparts.
	Config rollout.Config
	// Corpus are realistic objects to start from. Most should be valid, and together
	// they should use every part of the type. Run and Fuzz need at least one.
	Corpus []T
	// Prepare processes an object before validation, such as applying defaults. On a
	// create, and for the old object, old is nil.
	Prepare func(obj, old T)
	// Operation has the options and the subresource. Its Type is ignored.
	Operation operation.Operation
	// OnlyUpdates skips creates, as for the subresource status.
	OnlyUpdates bool
	// InvalidOld also tries updates of invalid objects, such as those that were
	// created under older rules.
	InvalidOld bool
	// Wording also compares the messages of matching errors.
	Wording bool
	// Exceptions is the path of a YAML file with the known differences, each with
	// a reason:
	//
	//	- field: spec.users[*].name
	//	  handWritten: {type: FieldValueInvalid, origin: format=k8s-short-name}
	//	  declarative: {type: FieldValueRequired}
	//	  reason: Hand-written validation never asked whether there is a name.
	//
	// An entry with one side matches an error that the other side does not report.
	// An object that only one side rejects is always a difference.
	Exceptions string
	// Words are strings to try in any field.
	Words []string
	// Seed is the seed of the random numbers. The same seed tries the same objects.
	Seed uint64
	// Tries is the number of objects to try; 0 means 5000.
	Tries int
}

// Run tries the corpus and objects made from it. It fails the test with the
// smallest object for each difference, up to ten. It also fails if an exception is
// unused or if there was nothing to compare.
func (e Equivalence[T]) Run(t testing.TB) {
	t.Helper()
	if s := e.session(t); s != nil && s.hasCorpus(t) {
		s.run(t)
	}
}

// Check compares the validation of one object, or of one update, as in a
// table-driven test. It fails the test like Run.
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
		t.Fatalf("cannot encode the object as JSON: %v", err)
	}
	s.anyOld = true
	s.check(t, one)
}

// Fuzz is like Run, for go test -fuzz: the fuzzer decides, guided by coverage, how
// to mutate objects. Its counterexamples in testdata/fuzz are decisions: they result in
// other objects if the corpus or the type changes.
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

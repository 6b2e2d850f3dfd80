package rollouttest

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// session is one run of an Equivalence. It handles objects as trees.
type session struct {
	shape      *shape
	corpus     []any
	validate   func(subject) (outcome, bool) // not ok: the subject is not a valid object
	exceptions *exceptions
	know       *knowledge

	seed        uint64
	tries       int
	onlyUpdates bool
	anyOld      bool

	pool  []any // objects to mutate: the corpus, and objects worth keeping
	stats stats
}

type stats struct{ subjects, handWritten, declarative int }

const (
	defaultTries        = 5000
	mostPool            = 500
	mostCounterexamples = 10
	shrinkTries         = 20000
)

// session prepares a run. It returns nil if it failed the test.
func (e Equivalence[T]) session(t testing.TB) *session {
	t.Helper()
	typ := reflect.TypeFor[T]()
	if typ.Kind() != reflect.Pointer || typ.Elem().Kind() != reflect.Struct {
		t.Fatalf("%v is not a pointer to a struct", typ)
		return nil
	}
	if e.Pair.HandWritten == nil || e.Pair.Declarative == nil {
		t.Fatalf("set both Pair.HandWritten and Pair.Declarative")
		return nil
	}
	known, err := readExceptions(e.Exceptions)
	if err != nil {
		t.Fatalf("exceptions: %v", err)
		return nil
	}
	s := &session{
		shape:       shapeOf(typ.Elem()),
		validate:    e.validate,
		exceptions:  known,
		know:        newKnowledge(e.Words),
		seed:        e.Seed,
		tries:       e.Tries,
		onlyUpdates: e.OnlyUpdates,
		anyOld:      e.InvalidOld,
	}
	if s.tries == 0 {
		s.tries = defaultTries
	}
	for _, obj := range e.Corpus {
		tree, err := treeOf(obj)
		if err != nil {
			t.Fatalf("cannot encode an object of the corpus as JSON: %v", err)
			return nil
		}
		s.corpus = append(s.corpus, tree)
		s.know.read(s.shape, "", tree)
	}
	s.pool = append(s.pool, s.corpus...)
	return s
}

func (s *session) hasCorpus(t testing.TB) bool {
	t.Helper()
	if len(s.corpus) == 0 {
		t.Fatalf("Corpus is empty; it needs at least one object")
		return false
	}
	return true
}

func treeOf(obj any) (tree any, err error) {
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	var m map[string]any
	if err := utiljson.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	return m, nil
}

// read decodes a tree into an object; not ok if the tree does not fit the type.
func (e Equivalence[T]) read(tree any) (obj T, ok bool) {
	data, err := json.Marshal(tree)
	if err != nil {
		return obj, false
	}
	obj = reflect.New(reflect.TypeFor[T]().Elem()).Interface().(T)
	return obj, utiljson.Unmarshal(data, obj) == nil
}

// validate runs both sides.
func (e Equivalence[T]) validate(s subject) (outcome, bool) {
	var none, old T
	obj, ok := e.read(s.obj)
	if !ok {
		return outcome{}, false
	}
	op := e.Operation
	op.Type = operation.Create
	if s.update {
		op.Type = operation.Update
		if old, ok = e.read(s.old); !ok {
			return outcome{}, false
		}
		e.prepare(old, none)
	}
	e.prepare(obj, old)
	handWritten, panicked := safely(context.Background(), "hand-written", func(ctx context.Context) field.ErrorList {
		return e.Pair.HandWritten(ctx, op, obj, old)
	})
	if panicked != "" {
		return outcome{differences: []difference{{panicked: panicked}}}, true
	}
	declarative, panicked := safely(context.Background(), "declarative", func(ctx context.Context) field.ErrorList {
		return e.Pair.Declarative(ctx, op, nil, obj, old)
	})
	if panicked != "" {
		return outcome{handWritten: handWritten, differences: []difference{{panicked: panicked}}}, true
	}
	return judge(handWritten, declarative, e.Config, e.Wording), true
}

func (e Equivalence[T]) prepare(obj, old T) {
	if e.Prepare != nil {
		e.Prepare(obj, old)
	}
}

// try validates a subject with both sides and removes known differences. It is not
// ok if the subject cannot be validated.
func (s *session) try(one subject) (outcome, bool) {
	if one.update && !s.anyOld {
		if before, ok := s.validate(subject{obj: one.old}); !ok || !before.valid() {
			return outcome{}, false
		}
	}
	o, ok := s.validate(one)
	if ok {
		s.exceptions.excuse(&o)
	}
	return o, ok
}

// run is Equivalence.Run.
func (s *session) run(t testing.TB) {
	t.Helper()
	found := newCounterexamples(s)
	s.explore(found.add)
	found.report(t)
	for _, name := range s.exceptions.stale() {
		t.Errorf("%s is unused; remove it, or add an object to the corpus that needs it", name)
	}
	if s.stats.handWritten == 0 || s.stats.declarative == 0 {
		t.Errorf("nothing to compare: of %d objects, hand-written validation rejected %d with errors marked as covered, and declarative validation rejected %d. Check that both sides are called and that errors are marked.",
			s.stats.subjects, s.stats.handWritten, s.stats.declarative)
	}
	t.Logf("tried %d objects; hand-written validation rejected %d, declarative validation rejected %d (seed %d)",
		s.stats.subjects, s.stats.handWritten, s.stats.declarative, s.seed)
}

// explore tries the corpus and mutations of it.
func (s *session) explore(see func(subject, outcome)) {
	rng := rand.New(rand.NewPCG(s.seed, 0))
	seen := map[string]bool{}
	visit := func(one subject) {
		o, ok := s.try(one)
		if !ok {
			return
		}
		s.count(o)
		s.know.hear(o.handWritten)
		s.know.hear(o.declarative)
		if s.worthKeeping(o, seen) {
			s.pool = append(s.pool, one.obj)
		}
		if len(o.differences) > 0 {
			see(one, o)
		}
	}
	for _, tree := range s.corpus {
		if !s.onlyUpdates {
			visit(subject{obj: tree})
		}
		visit(subject{tree, tree, true})
	}
	for range s.tries {
		visit(s.make(rng))
	}
}

// make returns a subject made from an object of the pool.
func (s *session) make(c chooser) subject {
	m := mutator{choose: c, know: s.know}
	base := pick(c, s.pool)
	one := subject{update: s.onlyUpdates || c.IntN(2) == 1}
	if one.update {
		one.old = base
		if c.IntN(4) == 1 {
			one.old = m.change(s.shape, base)
		}
		base = one.old
	}
	for range 1 + c.IntN(3) {
		base = m.change(s.shape, base)
	}
	one.obj = base
	return one
}

// worthKeeping reports whether to mutate an object further: it is valid, or its
// errors were not seen before.
func (s *session) worthKeeping(o outcome, seen map[string]bool) bool {
	fresh := o.valid()
	for _, err := range append(o.handWritten[:len(o.handWritten):len(o.handWritten)], o.declarative...) {
		if key := describe(err); !seen[key] {
			seen[key], fresh = true, true
		}
	}
	return fresh && len(s.pool) < mostPool
}

func (s *session) count(o outcome) {
	s.stats.subjects++
	for _, err := range o.handWritten {
		if err.CoveredByDeclarative {
			s.stats.handWritten++
			break
		}
	}
	if len(o.declarative) > 0 {
		s.stats.declarative++
	}
}

// learn explores without a verdict, so that Fuzz starts with the knowledge of Run.
func (s *session) learn() {
	s.tries = min(s.tries, 1000)
	s.explore(func(subject, outcome) {})
	// A byte chooses.
	s.pool = s.pool[:min(len(s.pool), 250)]
}

// decide runs one input of the fuzzer.
func (s *session) decide(t testing.TB, decisions []byte) {
	t.Helper()
	s.check(t, s.make(&tape{decisions}))
}

// check fails the test if the two sides differ for a subject.
func (s *session) check(t testing.TB, one subject) {
	t.Helper()
	if o, ok := s.try(one); ok && len(o.differences) > 0 {
		found := newCounterexamples(s)
		found.add(one, o)
		found.report(t)
	}
}

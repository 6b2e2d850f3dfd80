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

// session is one run of an Equivalence. It knows objects as trees only.
type session struct {
	shape      *shape
	corpus     []any
	validate   func(subject) (outcome, bool) // not ok: there is no such object
	exceptions *exceptions
	know       *knowledge

	seed        uint64
	tries       int
	onlyUpdates bool
	anyOld      bool

	pool  []any // objects to change: the corpus, and what was worth keeping
	stats stats
}

type stats struct{ subjects, handWritten, declarative int }

const (
	defaultTries = 5000
	mostPool     = 500
	mostFindings = 10
	shrinkTries  = 20000
)

// session prepares a run. It returns nil if it has failed the test.
func (e Equivalence[T]) session(t testing.TB) *session {
	t.Helper()
	typ := reflect.TypeFor[T]()
	if typ.Kind() != reflect.Pointer || typ.Elem().Kind() != reflect.Struct {
		t.Fatalf("%v is not a pointer to a struct", typ)
		return nil
	}
	if e.Pair.HandWritten == nil || e.Pair.Declarative == nil {
		t.Fatalf("an equivalence has two sides: Pair.HandWritten and Pair.Declarative")
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
			t.Fatalf("an object of the corpus cannot be written as JSON: %v", err)
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
		t.Fatalf("there is nothing to begin with: Corpus is empty")
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

// read makes an object of a tree; not ok if the tree is of another shape.
func (e Equivalence[T]) read(tree any) (obj T, ok bool) {
	data, err := json.Marshal(tree)
	if err != nil {
		return obj, false
	}
	obj = reflect.New(reflect.TypeFor[T]().Elem()).Interface().(T)
	return obj, utiljson.Unmarshal(data, obj) == nil
}

// validate asks both sides.
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

// try asks both sides about a subject, and takes out what is known. It is not ok
// if the subject is none to ask about.
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
	found := newFindings(s)
	s.explore(found.add)
	found.report(t)
	for _, name := range s.exceptions.stale() {
		t.Errorf("%s: no object needed it. Remove it, or add an object to the corpus that does", name)
	}
	if s.stats.handWritten == 0 || s.stats.declarative == 0 {
		t.Errorf("of %d objects hand-written validation rejected %d with errors that are marked as covered, and declarative validation %d: that shows nothing. Is something not called, or not marked?",
			s.stats.subjects, s.stats.handWritten, s.stats.declarative)
	}
	t.Logf("%d objects, of which hand-written validation rejected %d and declarative validation %d (seed %d)",
		s.stats.subjects, s.stats.handWritten, s.stats.declarative, s.seed)
}

// explore tries the corpus, and what can be made of it.
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

// make makes a subject from an object of the pool.
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

// worthKeeping returns whether to make further objects from one: if it is valid,
// or if what is wrong with it was not seen before.
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

// learn explores without a verdict, so that Fuzz begins with what Run knows.
func (s *session) learn() {
	s.tries = min(s.tries, 1000)
	s.explore(func(subject, outcome) {})
	// A byte chooses.
	s.pool = s.pool[:min(len(s.pool), 250)]
}

// decide is one input of the fuzzer.
func (s *session) decide(t testing.TB, decisions []byte) {
	t.Helper()
	s.check(t, s.make(&tape{decisions}))
}

// check fails the test if the two sides differ about a subject.
func (s *session) check(t testing.TB, one subject) {
	t.Helper()
	if o, ok := s.try(one); ok && len(o.differences) > 0 {
		found := newFindings(s)
		found.add(one, o)
		found.report(t)
	}
}

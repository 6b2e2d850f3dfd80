package differ

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/bench/internal/object"
	"github.com/kindsmith/kindsmith/bench/internal/pair"
)

// Search compares the validators of one kind on many requests.
type Search struct {
	Kind pair.Kind
	// Options are the names of options in rules.
	Options []string
	// Words are strings that rules use.
	Words []string
	Known []*Known

	// Requests is the number of compared requests; Valid is the number of requests
	// for which neither side reported errors.
	Requests, Valid int
	// Rules are the paths and types of observed errors, without indices and keys.
	Rules map[string]int
	// Wording counts errors that both sides report with different messages.
	Wording map[string]int

	// ruled has the paths with rules, without indices and keys, and the numbers in these
	// rules.
	ruled map[string][]int
}

// Request compares the validators on the requests generated from one source of
// randomness. It returns the first unknown difference, or nil.
func (s *Search) Request(src rand.Source) *Difference {
	s.learn()
	m := object.Maker{Rand: rand.New(src), Words: s.Words}
	for _, in := range s.requests(m) {
		d := Compare(s.Kind, in, s.count).Unknown(s.Known)
		if d.Differs() {
			return s.Shrink(d)
		}
	}
	return nil
}

// requests generates requests for one object: creates of the valid and the mutated
// object, and updates to the same object, to a mutated one, to another one, and from a
// mutated one.
func (s *Search) requests(m object.Maker) []Input {
	options := s.options(m)
	valid := s.valid(m, nil, options)
	in := []Input{{Object: valid}}
	for range 4 {
		in = append(in, Input{Object: s.damaged(m, valid)})
	}
	same := object.Copy(valid)
	m.Respell(same)
	in = append(in, Input{Object: same, Old: valid})
	for range 4 {
		damaged := s.damaged(m, valid)
		in = append(in, Input{Object: damaged, Old: valid}, Input{Object: s.damaged(m, damaged), Old: damaged})
		if m.IntN(2) == 0 {
			respelt := object.Copy(damaged)
			m.Respell(respelt)
			in = append(in, Input{Object: damaged, Old: respelt}, Input{Object: valid, Old: damaged})
		}
	}
	in = append(in, Input{Object: s.valid(m, valid, options), Old: valid})
	for i := range in {
		in[i].Options = options
	}
	return in
}

// learn finds the fields with rules, from the errors of upstream's validator for
// random objects and for repaired objects with mutations. The result does not depend
// on the order of requests.
func (s *Search) learn() {
	if s.ruled != nil {
		return
	}
	s.ruled = map[string][]int{}
	note := func(in Input) field.ErrorList {
		errs := Validate(s.Kind.Theirs, in)
		for _, e := range errs {
			s.note(e)
		}
		return errs
	}
	for seed := range uint64(lessons) {
		m := object.Maker{Rand: rand.New(rand.NewPCG(2, seed)), Words: s.Words}
		options := s.options(m)
		for _, old := range []any{nil, m.New(s.Kind.Type)} {
			obj := m.New(s.Kind.Type)
			m.Repair(obj, old, func(obj any) field.ErrorList {
				return note(Input{Object: obj, Old: old, Options: options})
			})
			for range damages {
				m.Mutate(obj, s.hints)
				note(Input{Object: obj, Old: old, Options: options})
			}
		}
	}
}

// note records the path of an error and the numbers in its message.
func (s *Search) note(e *field.Error) {
	place := general(e.Field)
	limits := s.ruled[place]
	for _, text := range integer.FindAllString(e.Detail, -1) {
		if n, err := strconv.Atoi(text); err == nil && !slices.Contains(limits, n) && len(limits) < 4 {
			limits = append(limits, n)
		}
	}
	s.ruled[place] = limits
}

// integer matches a number that is a word.
var integer = regexp.MustCompile(`\b\d+\b`)

// lessons is the number of objects that learn tries; damages is the number of
// mutations of each.
const (
	lessons = 40
	damages = 10
)

// hints returns what was learnt about a path.
func (s *Search) hints(path string) (ruled bool, limits []int) {
	limits, ruled = s.ruled[general(path)]
	return ruled, limits
}

// options enables or disables each option, and sometimes omits one.
func (s *Search) options(m object.Maker) map[string]bool {
	options := map[string]bool{}
	for _, name := range s.Options {
		if m.IntN(50) > 0 {
			options[name] = m.IntN(2) == 0
		}
	}
	return options
}

// valid returns an object that upstream's validator accepts, if it finds one.
func (s *Search) valid(m object.Maker, old any, options map[string]bool) any {
	obj := m.New(s.Kind.Type)
	m.Repair(obj, old, func(obj any) field.ErrorList {
		return Validate(s.Kind.Theirs, Input{Object: obj, Old: old, Options: options})
	})
	return obj
}

func (s *Search) damaged(m object.Maker, obj any) any {
	out := object.Copy(obj)
	for range 1 + m.IntN(3) {
		m.Mutate(out, s.hints)
	}
	return out
}

// general returns a path without indices and keys.
func general(path string) string {
	if !strings.Contains(path, "[") {
		return path
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(path, "[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("[]")
		_, path, _ = strings.Cut(after, "]")
	}
}

// count updates the statistics.
func (s *Search) count(ours, theirs field.ErrorList) {
	s.Requests++
	if len(ours) == 0 && len(theirs) == 0 {
		s.Valid++
	}
	if s.Rules == nil {
		s.Rules, s.Wording = map[string]int{}, map[string]int{}
	}
	key := func(e *field.Error) string {
		return fmt.Sprintf("%s %s %s", general(e.Field), e.Type, e.Origin)
	}
	reported := map[string]bool{}
	for _, e := range theirs {
		s.Rules[key(e)]++
		reported[e.Error()] = true
	}
	if len(ours) == len(theirs) {
		for _, e := range ours {
			if !reported[e.Error()] {
				s.Wording[key(e)]++
			}
		}
	}
}

// Shrink returns the difference with the smallest objects that still have a part of
// it.
func (s *Search) Shrink(d *Difference) *Difference {
	first := func(d *Difference) (string, bool) {
		name := func(side string, k Key) string {
			return strings.Join([]string{side, k.Type, general(k.Path), k.Origin, k.Level}, " ")
		}
		for _, k := range d.Ours {
			return name("ours", k), true
		}
		for _, k := range d.Theirs {
			return name("theirs", k), true
		}
		return "", false
	}
	want, _ := first(d)
	again := func(objs []any) *Difference {
		in := d.Input
		in.Object, in.Old = objs[0], objs[1]
		return Compare(s.Kind, in, nil).Unknown(s.Known)
	}
	objs := object.Shrink([]any{d.Input.Object, d.Input.Old}, func(objs []any) bool {
		got, ok := first(again(objs))
		return ok && got == want
	})
	return again(objs)
}

// String returns the difference as a report, with the objects as YAML.
func (d *Difference) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", d.Kind)
	for _, k := range d.Ours {
		fmt.Fprintf(&b, "  only ours:   %s\n", k)
	}
	for _, k := range d.Theirs {
		fmt.Fprintf(&b, "  only theirs: %s\n", k)
	}
	show := func(title string, obj any) {
		text, err := yaml.Marshal(obj)
		if err != nil {
			text = fmt.Appendf(nil, "%#v\n(%v)", obj, err)
		}
		fmt.Fprintf(&b, "  %s:\n", title)
		for line := range strings.Lines(string(text)) {
			fmt.Fprintf(&b, "    %s", line)
		}
	}
	show("object", d.Input.Object)
	if d.Input.Old != nil {
		show("old", d.Input.Old)
	}
	if len(d.Input.Options) > 0 {
		fmt.Fprintf(&b, "  options: %v\n", d.Input.Options)
	}
	return b.String()
}

package suite

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kindsmith/kindsmith/bench/internal/differ"
	"github.com/kindsmith/kindsmith/bench/internal/pair"
)

// The number of objects of each kind.
const (
	searchRounds      = 200
	searchRoundsShort = 20
)

// maxShown is the number of differences of a kind to print.
const maxShown = 3

// searches returns a search for each kind of the API that has an upstream validator.
func searches(g Generated, known []*differ.Known) []*differ.Search {
	var list []*differ.Search
	for _, k := range g.Kinds {
		if k.Type.Kind() != reflect.Struct {
			continue
		}
		if f, ok := k.Type.FieldByName("TypeMeta"); ok && f.Type == reflect.TypeFor[metav1.TypeMeta]() {
			list = append(list, &differ.Search{Kind: k, Options: g.Options, Words: g.Words[k.Package], Known: known})
		}
	}
	return list
}

// differences runs the searches and prints the result. It returns an error for unknown
// differences.
func differences(out io.Writer, g Generated, kinds *regexp.Regexp, rounds int) error {
	known, err := differ.ReadKnown()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Differences: the same requests to both validators, by seed\n\n")
	fmt.Fprintf(out, "%-52s %9s %9s %7s %s\n", "kind", "requests", "valid", "rules", "differences")
	var all []*differ.Difference
	total, rules, ruled := 0, 0, 0
	wording := map[string]int{}
	for _, s := range searches(g, known) {
		if !kinds.MatchString(s.Kind.String()) {
			continue
		}
		found, seen := 0, map[string]bool{}
		for seed := range uint64(rounds) {
			d := s.Request(rand.NewPCG(1, seed))
			if d == nil {
				continue
			}
			found++
			if name := fmt.Sprint(d.Ours, d.Theirs); !seen[name] && len(seen) < maxShown {
				seen[name] = true
				all = append(all, d)
			}
		}
		total += s.Requests
		rules += len(s.Rules)
		if beyondMetadata(s) {
			ruled++
		}
		for key, n := range s.Wording {
			wording[key] += n
		}
		fmt.Fprintf(out, "%-52s %9d %8d%% %7d %d\n", s.Kind, s.Requests, 100*s.Valid/max(1, s.Requests), len(s.Rules), found)
	}
	fmt.Fprintf(out, "\n%d requests; %d kinds with their own rules; errors of %d rules; %d known differences.\n", total, ruled, rules, len(known))
	for _, key := range slices.Sorted(maps.Keys(wording)) {
		fmt.Fprintf(out, "different message %d times: %s\n", wording[key], key)
	}
	var problems []string
	for _, d := range all {
		problems = append(problems, d.String())
	}
	registered, err := subresources(g)
	if err != nil {
		return err
	}
	problems = append(problems, registered...)
	for _, k := range known {
		if err := k.Stale(g.Kinds); err != nil {
			problems = append(problems, "stale: "+err.Error())
		}
	}
	if len(problems) > 0 {
		return fmt.Errorf("\n%s\n%d unknown differences", strings.Join(problems, "\n"), len(problems))
	}
	return nil
}

// beyondMetadata reports whether a search observed errors outside of metadata.
func beyondMetadata(s *differ.Search) bool {
	for key := range s.Rules {
		if !strings.HasPrefix(key, "metadata") {
			return true
		}
	}
	return false
}

// kindOf returns the kind with a name such as core/v1.Pod.
func kindOf(g Generated, name string) (pair.Kind, error) {
	i := slices.IndexFunc(g.Kinds, func(k pair.Kind) bool { return k.String() == name })
	if i < 0 {
		return pair.Kind{}, fmt.Errorf("neither tool generated a validator for %s", name)
	}
	return g.Kinds[i], nil
}

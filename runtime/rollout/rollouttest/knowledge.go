package rollouttest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// knowledge has the values to try at each path: those in the corpus, and those in
// errors. "must be one of "A", "B"" names valid values, and "must be less than or
// equal to 15" names a boundary.
type knowledge struct {
	words   map[string][]string // by generic path
	numbers map[string][]int64
	all     []string // words of all paths
}

func newKnowledge(words []string) *knowledge {
	return &knowledge{words: map[string][]string{}, numbers: map[string][]int64{}, all: slices.Clone(words)}
}

const (
	mostWords   = 64
	mostNumbers = 32
)

var (
	brackets = regexp.MustCompile(`\[[^\]]*\]`)
	quoted   = regexp.MustCompile(`"([^"]*)"`)
	integers = regexp.MustCompile(`-?\d+`)
)

// generic returns a path with every index and key replaced by *.
func generic(path string) string { return brackets.ReplaceAllString(path, "[*]") }

// read learns the strings and numbers of an object.
func (k *knowledge) read(s *shape, at string, v any) {
	switch v := v.(type) {
	case map[string]any:
		switch s.kind {
		case object:
			for _, f := range s.fields {
				k.read(f.shape, join(at, f.name), v[f.name])
			}
		case dict:
			for _, key := range sortedKeys(v) {
				k.word(at, key) // errors of keys have the path of the map
				k.read(s.elem, at+"[*]", v[key])
			}
		}
	case []any:
		if s.kind == list {
			for _, item := range v {
				k.read(s.elem, at+"[*]", item)
			}
		}
	case string:
		k.word(at, v)
	case int64:
		k.number(at, v)
	}
}

// hear learns from errors.
func (k *knowledge) hear(errs field.ErrorList) {
	for _, err := range errs {
		at := generic(err.Field)
		for _, word := range quoted.FindAllStringSubmatch(err.Detail, -1) {
			k.word(at, word[1])
		}
		for _, number := range integers.FindAllString(err.Detail, -1) {
			if n, err := strconv.ParseInt(number, 10, 64); err == nil {
				k.number(at, n)
			}
		}
	}
}

func (k *knowledge) word(at, word string) {
	k.words[at] = learn(k.words[at], word, mostWords)
	k.all = learn(k.all, word, 4*mostWords)
}

func (k *knowledge) number(at string, n int64) {
	k.numbers[at] = learn(k.numbers[at], n, mostNumbers)
}

func learn[V comparable](known []V, v V, most int) []V {
	if len(known) >= most || slices.Contains(known, v) {
		return known
	}
	return append(known, v)
}

func join(at, name string) string { return strings.TrimPrefix(at+"."+name, ".") }

package rollouttest

import (
	"slices"
	"strings"
)

// Common boundaries of rules; mutators learn those that errors name.
var (
	commonLengths = []int{0, 1, 2, 3, 4, 8, 16, 17, 32, 33, 63, 64, 128, 129, 253, 254, 256, 257, 1025}
	commonNumbers = []int64{0, 1, -1, 2, 10, 100, 1 << 10, 1 << 16}
	// trickyTexts are close to the known formats.
	trickyTexts = []string{
		"", "a", "A", "0", "-a", "a-", ".", "a.b", "a..b", "A.b", "a/b", "a/b/c", "/a", "a_b", " a", "é", "\n", "a:b", "*", "%",
		"1.2.3.4", "01.2.3.4", "1.2.3.4/24", "::1", "::ffff:1.2.3.4", "example.com/name",
		"123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000",
	}
	trickyRunes = []rune("a0A-./_: é\n\x00")
)

const (
	mostItems = 300
	mostRunes = 5000
)

// text returns a string that is likely to matter at a path; old is the current one.
func (m *mutator) text(at, old string) string {
	runes := []rune(old)
	switch m.choose.IntN(6) {
	case 0, 1:
		if words := m.know.words[at]; len(words) > 0 {
			return pick(m.choose, words)
		}
		return pick(m.choose, trickyTexts)
	case 2:
		if len(m.know.all) > 0 {
			return pick(m.choose, m.know.all)
		}
		return pick(m.choose, trickyTexts)
	case 3:
		return m.stretch(runes, m.length(at, mostRunes))
	case 4:
		i := m.choose.IntN(len(runes) + 1)
		return string(slices.Insert(runes, i, pick(m.choose, trickyRunes)))
	default:
		return pick(m.choose, trickyTexts)
	}
}

// stretch returns a string of n characters, of one byte each or sometimes of two.
func (m *mutator) stretch(runes []rune, n int) string {
	if n <= len(runes) {
		return string(runes[:n])
	}
	filler := "a"
	if m.choose.IntN(4) == 1 {
		filler = "é"
	}
	return string(runes) + strings.Repeat(filler, n-len(runes))
}

// length returns a length that is likely to matter at a path.
func (m *mutator) length(at string, most int) int {
	if numbers := m.know.numbers[at]; len(numbers) > 0 && m.choose.IntN(3) > 0 {
		// Compare as int64: learnt numbers may not fit an int.
		if n := pick(m.choose, numbers); n >= 0 && n < int64(most) {
			return max(0, int(n)+m.choose.IntN(3)-1)
		}
	}
	return min(pick(m.choose, commonLengths), most)
}

// integer returns a number that is likely to matter at a path; old is the current
// one.
func (m *mutator) integer(s *shape, at string, old int64) int64 {
	n := old
	switch m.choose.IntN(6) {
	case 0, 1:
		if numbers := m.know.numbers[at]; len(numbers) > 0 {
			n = pick(m.choose, numbers)
		}
	case 2:
		n = pick(m.choose, commonNumbers)
	case 3:
		return pick(m.choose, []int64{s.min, s.max})
	case 4:
		n = int64(m.choose.IntN(32))
	}
	near := n + int64(m.choose.IntN(3)) - 1
	if (near > n) != (near-n > 0) || near < s.min || near > s.max {
		return pick(m.choose, []int64{s.min, s.max})
	}
	return near
}

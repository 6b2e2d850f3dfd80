// Package prose counts what makes English hard to read. Tests hold pages, diagnostics and doc comments
// to bounds.
//
// [Markdown] and [Plain] turn a text into blocks: paragraphs, bullets and headings, without code and tables.
// [Text.Count] counts words in them, and [Repeated] finds sentences that several texts share.
package prose

import (
	"math"
	"regexp"
	"strings"
)

// A Kind is the role of a block.
type Kind int

// The kinds.
const (
	Paragraph Kind = iota
	Bullet
	Heading
)

// A Block is a paragraph, an item of a list, or a heading.
type Block struct {
	Kind Kind
	// Text is the block on one line, with inline code between backquotes: "run `make test` first".
	Text string
}

// A Text is the prose of a page, or of other texts for readers.
type Text []Block

var (
	fenceLine   = regexp.MustCompile("^\\s*(```|~~~)")
	bulletLine  = regexp.MustCompile(`^\s*([-*+]|\d+[.)])\s+`)
	headingLine = regexp.MustCompile(`^#+\s+`)
	comment     = regexp.MustCompile(`(?s)<!--.*?-->`)
	target      = regexp.MustCompile(`\]\([^)]*\)|\]\[[^\]]*\]`)
	indented    = regexp.MustCompile(`^(    |\t)`)
)

// Markdown returns the prose of a page: no code blocks, no tables, no addresses of links.
func Markdown(page string) Text {
	var text Text
	open, fenced, inList := false, false, false // open: the next line goes on with the last block
	for line := range strings.Lines(comment.ReplaceAllString(page, "")) {
		line = strings.TrimRight(line, "\n")
		switch marker := bulletLine.FindString(line); {
		case fenceLine.MatchString(line):
			fenced, open, inList = !fenced, false, inList && strings.HasPrefix(line, " ")
		case fenced:
		case strings.TrimSpace(line) == "", strings.HasPrefix(strings.TrimSpace(line), "|"):
			open = false
		case headingLine.MatchString(line):
			text = append(text, Block{Heading, headingLine.ReplaceAllString(line, "")})
			open, inList = false, false
		case marker != "":
			text = append(text, Block{Bullet, line[len(marker):]})
			open, inList = true, true
		case open:
			text[len(text)-1].Text += " " + strings.TrimSpace(line)
		case indented.MatchString(line) && !inList:
			// code
		default:
			text = append(text, Block{Paragraph, strings.TrimSpace(line)})
			open, inList = true, strings.HasPrefix(line, " ")
		}
	}
	for i := range text {
		text[i].Text = target.ReplaceAllString(text[i].Text, "]")
	}
	return text
}

// Plain returns texts without markup, each as a paragraph.
func Plain(texts ...string) Text {
	var text Text
	for _, s := range texts {
		text = append(text, Block{Paragraph, strings.Join(strings.Fields(s), " ")})
	}
	return text
}

var (
	word     = regexp.MustCompile("`[^`]*`|[\\pL][\\pL\\pN]*(?:['’-][\\pL\\pN]+)*")
	sentence = regexp.MustCompile(`[.:;!?](?:\s+|$)`)
)

// Words returns the words of a block in lower case. Inline code is one word.
func (b Block) Words() []string {
	return word.FindAllString(strings.ToLower(b.Text), -1)
}

// sentences returns the sentences of a block.
func (b Block) sentences() []string {
	var list []string
	rest := b.Text
	for rest != "" {
		end := len(rest)
		if at := sentence.FindStringIndex(rest); at != nil {
			end = at[1]
		}
		list, rest = append(list, rest[:end]), rest[end:]
	}
	return list
}

// A Count is how often a text has words that cost the reader time.
type Count struct {
	Words int
	// That counts "that" in any meaning.
	That int
	// Pronouns counts it, they, them and those, which send the reader back for the noun.
	Pronouns int
	// What counts the relative "what", as in "stores what the other lacks": no questions, no headings,
	// no "what to do".
	What int
}

var relative = regexp.MustCompile(`(?i)\bwhat\b( to\b)?`)

// Count counts the words of a text.
func (t Text) Count() Count {
	var c Count
	for _, b := range t {
		for _, w := range b.Words() {
			c.Words++
			switch w {
			case "that":
				c.That++
			case "it", "they", "them", "those":
				c.Pronouns++
			}
		}
		if b.Kind == Heading {
			continue
		}
		for _, s := range b.sentences() {
			if strings.HasSuffix(strings.TrimSpace(s), "?") {
				continue
			}
			for _, m := range relative.FindAllStringSubmatch(inlineCode.ReplaceAllString(s, ""), -1) {
				if m[1] == "" {
					c.What++
				}
			}
		}
	}
	return c
}

var inlineCode = regexp.MustCompile("`[^`]*`")

// PerThousand returns the greatest count among n words for a rate per 1,000 words, rounded up: a page of
// 200 words cannot have half a word.
func PerThousand(rate float64, n int) int {
	return int(math.Ceil(rate * float64(n) / 1000))
}

// LongBullets returns the items of lists with more than most words.
func (t Text) LongBullets(most int) []string {
	var long []string
	for _, b := range t {
		if b.Kind == Bullet && len(b.Words()) > most {
			long = append(long, b.Text)
		}
	}
	return long
}

// A Repeat is a row of words in two texts.
type Repeat struct{ First, Second, Words string }

// Repeated returns the rows of n words that occur in more than one text, at most one for each pair of
// blocks. The texts are by name, in the order of names.
func Repeated(n int, names []string, texts map[string]Text) []Repeat {
	owner := map[string]string{}
	var found []Repeat
	for _, name := range names {
		for _, b := range texts[name] {
			words, reported := b.Words(), map[string]bool{}
			for i := 0; i+n <= len(words); i++ {
				row := strings.Join(words[i:i+n], " ")
				switch first, seen := owner[row]; {
				case !seen:
					owner[row] = name
				case first != name && !reported[first]:
					reported[first] = true
					found = append(found, Repeat{first, name, row})
				}
			}
		}
	}
	return found
}

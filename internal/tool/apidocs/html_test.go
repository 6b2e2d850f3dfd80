package apidocs_test

import (
	"bytes"
	"maps"
	"math"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gohtml "golang.org/x/net/html"

	"github.com/kindsmith/kindsmith/internal/tool/apidocs/html"
)

// TestPages checks what can be checked without a browser: ids are unique, links lead somewhere, headings nest, nothing is
// loaded, and nothing that takes the focus is in a summary.
func TestPages(t *testing.T) {
	for _, dir := range projects {
		site, _ := build(t, dir)
		files, err := html.Print(site)
		if err != nil {
			t.Fatal(err)
		}
		pages := map[string]*parsed{}
		for name, content := range files {
			pages[name] = parse(t, content)
		}
		for _, name := range slices.Sorted(maps.Keys(pages)) {
			t.Run(name, func(t *testing.T) { pages[name].check(t, name, pages) })
		}
	}
}

// parsed is a page.
type parsed struct {
	root *gohtml.Node
	ids  map[string]int
}

func parse(t *testing.T, content []byte) *parsed {
	t.Helper()
	root, err := gohtml.Parse(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	p := &parsed{root, map[string]int{}}
	for n := range root.Descendants() {
		if id := attr(n, "id"); id != "" {
			p.ids[id]++
		}
	}
	return p
}

func attr(n *gohtml.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func (p *parsed) check(t *testing.T, name string, pages map[string]*parsed) {
	for id, count := range p.ids {
		if count > 1 || strings.ContainsAny(id, " \t\n") {
			t.Errorf("the id %q is used %d times", id, count)
		}
	}
	level, links, focusable := 0, 0, []string{"a", "button", "input", "summary", "select", "textarea"}
	for n := range p.root.Descendants() {
		if n.Type != gohtml.ElementNode {
			continue
		}
		if slices.Contains([]string{"img", "link", "iframe", "object", "embed", "video", "audio", "base"}, n.Data) || attr(n, "src") != "" || attr(n, "style") != "" {
			t.Errorf("<%s> loads something, or has a style", n.Data)
		}
		if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
			now := int(n.Data[1] - '0')
			if now > level+1 {
				t.Errorf("<%s> follows a heading of level %d", n.Data, level)
			}
			level = now
		}
		if n.Data == "summary" {
			for in := range n.Descendants() {
				if in.Type == gohtml.ElementNode && slices.Contains(focusable, in.Data) {
					t.Errorf("<%s> in a summary", in.Data)
				}
			}
		}
		if href := attr(n, "href"); n.Data == "a" {
			links++
			p.follow(t, name, href, pages)
		}
		for _, of := range []string{"for", "aria-labelledby"} {
			if id := attr(n, of); id != "" && p.ids[id] == 0 {
				t.Errorf("%s=%q has no target", of, id)
			}
		}
	}
	if links == 0 || level == 0 {
		t.Error("the page has no links or headings")
	}
}

// follow checks a link of a page. Comments may link to elsewhere.
func (p *parsed) follow(t *testing.T, name, href string, pages map[string]*parsed) {
	file, fragment, _ := strings.Cut(href, "#")
	if strings.HasPrefix(href, "https://") || strings.HasPrefix(href, "http://") {
		return
	}
	target := p
	if file != "" {
		target = pages[path.Join(path.Dir(name), file)]
	}
	if target == nil || fragment != "" && target.ids[fragment] == 0 {
		t.Errorf("the link %q leads nowhere", href)
	}
}

var (
	colors   = regexp.MustCompile(`--(\w+): (#[0-9a-f]{6});`)
	loads    = regexp.MustCompile(`url\(|@import|https?:|fetch\(|XMLHttpRequest|import\(|eval\(|innerHTML`)
	contrast = []struct {
		front, back string
		least       float64
	}{
		{"front", "back", 4.5}, {"quiet", "back", 4.5}, {"link", "back", 4.5}, {"required", "back", 4.5}, {"old", "back", 4.5},
		{"front", "soft", 4.5}, {"old", "soft", 4.5}, {"quiet", "soft", 4.5},
		{"front", "mark", 4.5}, {"quiet", "mark", 4.5}, {"link", "mark", 4.5}, {"required", "mark", 4.5}, {"old", "mark", 4.5},
		{"line", "back", 3},
	}
)

// TestPalette computes the contrast of colors on each other, in both schemes, as WCAG 2.2 asks for.
func TestPalette(t *testing.T) {
	text, err := os.ReadFile("html/style.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark, ok := strings.Cut(string(text), "@media (prefers-color-scheme: dark)")
	if !ok {
		t.Fatal("the style has no dark scheme")
	}
	for scheme, text := range map[string]string{"light": light, "dark": dark} {
		palette := map[string]string{}
		for _, found := range colors.FindAllStringSubmatch(text, -1) {
			palette[found[1]] = found[2]
		}
		for _, c := range contrast {
			if got := ratio(t, palette[c.front], palette[c.back]); got < c.least {
				t.Errorf("%s: %s on %s has the contrast %.2f, at least %v", scheme, c.front, c.back, got, c.least)
			}
		}
	}
}

func ratio(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, color string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		if len(color) != 7 {
			t.Fatalf("%q is no color", color)
		}
		n, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// TestAssets checks that style and script load nothing, and stay small.
func TestAssets(t *testing.T) {
	for name, most := range map[string]int{"style.css": 6 << 10, "script.js": 10 << 10} {
		text, err := os.ReadFile("html/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if found := loads.Find(text); found != nil || len(text) > most {
			t.Errorf("%s has %d bytes, at most %d, and %q", name, len(text), most, found)
		}
	}
}

package docs_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
)

// source is the file that the picture begins with.
var source = []string{
	"type CacheSpec struct {",
	"  // +k8s:minimum=1",
	"  // +default=3",
	`  // +versioned:changed(since: "v1", fromName: "copies")`,
	"  Replicas *int32 `json:\"replicas,omitempty\"`",
	"}",
}

// outputs are what kindsmith makes of it: a title and a line each.
var outputs = [][2]string{
	{"older versions", "api/v1beta1: copies, with the same rules"},
	{"conversions", "lossless, for Go objects and for your webhook"},
	{"CustomResourceDefinitions", "all versions, defaults, every rule as schema or CEL"},
	{"Go", "validators, defaults, unions, deep copies, registration"},
	{"manifests", "policies, webhook configurations, OpenAPI"},
	{"checks without a cluster", "lint, validate, test, breaking"},
}

// picture draws what enters and what leaves, for light and dark pages.
func picture() []byte {
	const (
		width, row, gap = 1000, 46, 10
		left, right     = 450, 610 // the right end of the source, and the left end of the outputs
	)
	height := len(outputs)*(row+gap) + gap + 20
	middle := height / 2
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="title">`, width, height, width, height)
	p(`<title id="title">types.go goes in; older versions, conversions, CustomResourceDefinitions, Go, manifests and checks come out</title>`)
	p(`<style>
  text { font: 14px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
  .code { font: 12px ui-monospace, SFMono-Regular, Menlo, monospace; white-space: pre }
  .title { font-weight: 600 }
  .marker, .line { fill: #59636e }
  .line { font-size: 12px }
  rect { fill: #f6f8fa; stroke: #d1d9e0 }
  .tool { fill: #0969da; stroke: none }
  .tool-name { fill: #ffffff; font-weight: 600 }
  path { stroke: #818b98; fill: none; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .marker, .line { fill: #9198a1 }
    rect { fill: #151b23; stroke: #3d444d }
    .tool { fill: #1f6feb }
    .tool-name { fill: #ffffff }
    path { stroke: #656c76 }
  }
</style>`)
	box := 20*len(source) + 24
	top := middle - box/2
	p(`<text class="title" x="10" y="%d">types.go, your newest version</text>`, top-10)
	p(`<rect x="10" y="%d" width="%d" height="%d" rx="6"/>`, top, left-10, box)
	for i, line := range source {
		class := "code"
		if strings.Contains(line, "//") {
			class += " marker"
		}
		p(`<text class="%s" x="24" y="%d" xml:space="preserve">%s</text>`, class, top+26+20*i, html.EscapeString(line))
	}
	for i, out := range outputs {
		y := 10 + gap + i*(row+gap)
		p(`<path d="M %d %d C %d %d %d %d %d %d"/>`, left+90, middle, left+130, middle, right-50, y+row/2, right, y+row/2)
		p(`<rect x="%d" y="%d" width="%d" height="%d" rx="6"/>`, right, y, width-right-10, row)
		p(`<text class="title" x="%d" y="%d">%s</text>`, right+14, y+19, html.EscapeString(out[0]))
		p(`<text class="line" x="%d" y="%d">%s</text>`, right+14, y+36, html.EscapeString(out[1]))
	}
	p(`<path d="M %d %d H %d"/>`, left, middle, left+20)
	p(`<rect class="tool" x="%d" y="%d" width="70" height="30" rx="15"/>`, left+20, middle-15)
	p(`<text class="tool-name" x="%d" y="%d" text-anchor="middle" style="font-size:12px">kindsmith</text>`, left+55, middle+4)
	p(`</svg>`)
	return []byte(b.String())
}

// TestPicture compares the picture of the README with what picture draws: -update writes it.
func TestPicture(t *testing.T) {
	svg := picture()
	goldentest.Check(t, "picture.svg", svg)
	for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

package program_test

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/objects/tryit/program"
)

var brotli = flag.Bool("brotli", false, "also compress with brotli, which takes a minute and needs node")

// toBrotli compresses its input, and prints the size.
const toBrotli = `const z = require("zlib"), c = z.constants, text = require("fs").readFileSync(0);
const params = { [c.BROTLI_PARAM_QUALITY]: 11, [c.BROTLI_PARAM_LGWIN]: 24, [c.BROTLI_PARAM_SIZE_HINT]: text.length };
console.log(z.brotliCompressSync(text, { params }).length)`

// TestSize bounds what pages with an evaluator carry: gzip, which the pages have, and brotli, which servers of pages can send.
func TestSize(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles for WebAssembly")
	}
	for _, test := range []struct {
		name         string
		cel          bool
		gzip, brotli int
	}{
		{"evaluator", false, 2_200_000, 1_500_000},
		{"evaluator with CEL", true, 4_400_000, 3_000_000},
	} {
		built, err := program.Build(t.Context(), "", test.cel, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(built.WASM) > test.gzip {
			t.Errorf("the %s takes %d bytes, and may take %d", test.name, len(built.WASM), test.gzip)
		}
		if !*brotli {
			continue
		}
		r, err := gzip.NewReader(bytes.NewReader(built.WASM))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		compress := exec.Command("node", "-e", toBrotli)
		compress.Stdin = bytes.NewReader(text)
		out, err := compress.Output()
		if err != nil {
			t.Fatal(err)
		}
		size, err := strconv.Atoi(strings.TrimSpace(string(out)))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, gzip %d, brotli %d", test.name, len(text), len(built.WASM), size)
		if size > test.brotli {
			t.Errorf("the %s takes %d bytes in brotli, and may take %d", test.name, size, test.brotli)
		}
	}
}

package jsonconvert

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// TestScan compares what is read with encoding/json on texts with random mistakes.
func TestScan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seeds := []string{
		`{"a":[1,-2.5e+3,true,false,null,"x\u00e9\n\\\""],"b":{},"c":[[],[{}]]}`, `  [ 0 , -0.1 ]  `, `"text of more than eight bytes, with \"quotes\""`, `-0`, `01`, `1e`, `[1,]`, `{"a":1,}`,
	}
	chars := []byte(`{}[]",:\/u0123456789eE+-.truefalsn ` + "\x01\t\n")
	for i := range 200000 {
		text := []byte(seeds[i%len(seeds)])
		for range r.IntN(4) {
			at := r.IntN(len(text))
			switch c := chars[r.IntN(len(chars))]; r.IntN(3) {
			case 0:
				text[at] = c
			case 1:
				text = append(text[:at], text[at+1:]...)
			default:
				text = append(text[:at], append([]byte{c}, text[at:]...)...)
			}
			if len(text) == 0 {
				text = []byte{' '}
			}
		}
		m := &memory{}
		n, err := m.parse(string(text))
		if valid := json.Valid(text); valid != (err == nil) {
			t.Fatalf("%q: %v, but it is valid: %t", text, err, valid)
		}
		if err != nil {
			continue
		}
		m.lookAll(n)
		n.raw = ""
		if n.kind == 's' {
			continue
		}
		if again := n.write(nil); !json.Valid(again) {
			t.Fatalf("%q is written as %q", text, again)
		}
	}
}

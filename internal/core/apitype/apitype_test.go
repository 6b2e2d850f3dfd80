package apitype_test

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kindsmith/kindsmith/internal/core/apitype"
)

// texts are JSON values that one of the types reads or rejects.
var texts = []string{
	`null`, `""`, `"30s"`, `"1h30m"`, `"-1.5h"`, `"1us"`, `"90s"`, `"0"`, `30`, `0`, `"1x"`, `"9223372036854775807ns"`, `"9223372036854775808ns"`,
	`"2006-01-02T15:04:05Z"`, `"2006-01-02T15:04:05.123456Z"`, `"2006-01-02T15:04:05.1Z"`, `"2006-01-02T15:04:05.1234567Z"`,
	`"2006-01-02T15:04:05+02:00"`, `"2006-01-02T15:04:05.123456-07:30"`, `"0001-01-01T00:00:00Z"`, `"0001-01-01T00:00:00.000000Z"`,
	`"9999-12-31T23:59:59-01:00"`, `"9999-12-31T23:59:59.000000-01:00"`, `"0000-01-01T00:00:00+01:00"`, `"2006-01-02"`, `"2006-13-02T15:04:05Z"`, `"2006-01-02t15:04:05z"`,
	`2147483647`, `2147483648`, `-2147483648`, `1.5`, `1e3`, `"50%"`, `"\u0041"`, `true`, `{}`, `[]`,
}

// pairs are our types and those of Kubernetes: what each writes after it has read a text. Read is the least number of texts that they
// read.
var pairs = []struct {
	name         string
	ours, theirs func(text string) string
	read         int
}{
	{"Duration", written[apitype.Duration], written[metav1.Duration], 7},
	{"Time", written[apitype.Time], written[metav1.Time], 9},
	{"MicroTime", written[apitype.MicroTime], written[metav1.MicroTime], 5},
	{"IntOrString", written[apitype.IntOrString], written[intstr.IntOrString], 20},
}

const refused = "refused"

func written[T any](text string) string {
	var v struct{ Field T }
	if err := json.Unmarshal([]byte(`{"Field": `+text+`}`), &v); err != nil {
		return refused
	}
	out, err := json.Marshal(v.Field)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

func TestSameJSON(t *testing.T) {
	for _, p := range pairs {
		read := 0
		for _, text := range texts {
			ours, theirs := p.ours(text), p.theirs(text)
			if ours != theirs {
				t.Errorf("%s of %s: %s, want %s", p.name, text, ours, theirs)
			}
			if theirs != refused {
				read++
			}
		}
		if read < p.read || read == len(texts) {
			t.Errorf("%s reads %d of %d texts, which tests too little", p.name, read, len(texts))
		}
	}
}

// FuzzSameJSON reads any text as each type.
func FuzzSameJSON(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		for _, p := range pairs {
			if ours, theirs := p.ours(text), p.theirs(text); ours != theirs {
				t.Errorf("%s of %s: %s, want %s", p.name, text, ours, theirs)
			}
		}
	})
}

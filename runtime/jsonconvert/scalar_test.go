package jsonconvert

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// FuzzScalars decodes values like API servers, and encodes them like encoding/json.
func FuzzScalars(f *testing.F) {
	for _, seed := range []string{
		`""`, `"a"`, `"é"`, `"a\u0062"`, `"<&>"`, `"` + "\xff" + `"`, `"` + "\x7f" + `"`, "\"\u2028\"", `"`, `"a"b"`, `"a\"`, strings.Repeat(`"`, 9), "\"\n\"",
		"0", "-0", "1", "+1", "01", "1_0", "0x1", "1.0", "1e2", "2147483647", "2147483648", "-2147483648", "9223372036854775807", "9223372036854775808", "-", "", " 1", "null", "true", "[]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		checkScalar[string](t, text)
		checkScalar[int32](t, text)
		checkScalar[int64](t, text)
		checkScalar[*string](t, text)
		checkScalar[*int32](t, text)
		checkScalar[*int64](t, text)
		checkScalar[bool](t, text)
	})
}

// FuzzQuantities spells numbers of units like resource.Quantity, and reads them back.
func FuzzQuantities(f *testing.F) {
	for _, n := range []int64{0, 1, -1, 999, 1000, 1001, 1023, 1024, 1025, 1500, 1 << 20, 1e6, 1e18, 1<<40 - 1, 1 << 53, 1 << 62, math.MaxInt64} {
		for _, unit := range []string{"", "m", "k", "M", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"} {
			f.Add(n, unit)
		}
	}
	f.Fuzz(func(t *testing.T, n int64, unit string) {
		got, ok := usualSpelling(n, unit)
		if !ok {
			return
		}
		want, err := resource.ParseQuantity(strconv.FormatInt(n, 10) + unit)
		if err != nil || string(got) != strconv.Quote(want.String()) {
			t.Fatalf("%d%s is %s, want %s, %v", n, unit, got, want.String(), err)
		}
		back, ok := usualQuantity(textOf(got))
		if value, exact := want.AsInt64(); ok && exact && back != value {
			t.Fatalf("%s is %d, want %d", got, back, value)
		}
	})
}

func checkScalar[T any](t *testing.T, text []byte) {
	t.Helper()
	if !json.Valid(text) {
		return // functions get values of valid objects
	}
	var got, want T
	gotErr, wantErr := decode(text, &got), utiljson.Unmarshal(text, &want)
	if (gotErr == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
		t.Fatalf("%q is %#v, %v; want %#v, %v", text, got, gotErr, want, wantErr)
	}
	out, err := encode(&got)
	if plain, plainErr := json.Marshal(&got); !bytes.Equal(out, plain) || (err == nil) != (plainErr == nil) {
		t.Fatalf("%#v is %s, want %s", got, out, plain)
	}
}

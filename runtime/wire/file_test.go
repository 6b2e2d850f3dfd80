package wire

import "testing"

// TestReadFile refuses what this package would convert wrongly.
func TestReadFile(t *testing.T) {
	for text, want := range map[string]string{
		`{"format":1,"tables":[{"group":"example.com","older":"v1beta1","hub":"v1"}]}`: "",
		`{"format":`:   "not a file of conversion tables: unexpected end of JSON input",
		`{"format":2}`: "the file of conversion tables has format 2, and this program reads format 1",
		`{"format":1,"tables":[{"types":[{"fields":[{"shear":true}]}]}]}`: `this program cannot read the file of conversion tables, which another version of kindsmith may have written: json: unknown field "shear"`,
	} {
		_, err := ReadFile([]byte(text))
		if got := message(err); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

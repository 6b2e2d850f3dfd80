package jsonconvert

import (
	"bytes"
	"strings"
	"testing"
)

func failed(code, message string) string {
	reason := map[string]string{"400": "BadRequest", "500": "InternalError"}[code]
	return `"uid":"u1","convertedObjects":[],"result":{"status":"Failed","message":"` + message + `","reason":"` + reason + `","code":` + code + `}`
}

func TestReview(t *testing.T) {
	const (
		meta    = `"metadata":{"namespace":"x","name":"n"},`
		desired = `"uid":"u1","desiredAPIVersion":"example.com/v1beta1"`
		success = `"result":{"status":"Success"}`
		known   = `known are example.com/v1alpha1, example.com/v1alpha2, example.com/v1beta1, example.com/v1, example.com/v2`
	)
	object := func(version, meta, spec string) string {
		return `{"apiVersion":"example.com/` + version + `","kind":"Person",` + meta + `"spec":` + spec + `}`
	}
	old, converted := object("v1alpha2", meta, `{"age":7}`), object("v1beta1", meta, `{"age":"7"}`)
	bare := strings.TrimSuffix(object("v1beta1", "", `{"age":"7"}`), "}") + `,"metadata":{}}`
	c := people(t)
	for name, test := range map[string]struct{ request, want string }{
		"objects":            {desired + `,"objects":[` + old + ` , ` + converted + `]`, `"uid":"u1","convertedObjects":[` + converted + `,` + converted + `],` + success},
		"objects come first": {`"objects":[` + old + `],` + desired, `"uid":"u1","convertedObjects":[` + converted + `],` + success},
		"empty list":         {desired + `,"objects":[]`, `"uid":"u1","convertedObjects":[],` + success},
		"no list":            {desired, `"uid":"u1","convertedObjects":[],` + success},
		"null list":          {desired + `,"objects":null`, `"uid":"u1","convertedObjects":[],` + success},
		"unknown desired":    {`"uid":"u1","desiredAPIVersion":"example.com/v7","objects":[1]`, failed("400", `unknown desired API version \"example.com/v7\"; `+known)},
		"desired, escaped":   {`"uid":"u1","desiredAPIVersion":"example.com\u002fv1beta1","objects":[` + old + `]`, `"uid":"u1","convertedObjects":[` + converted + `],` + success},
		"desired, no group":  {`"uid":"u1","desiredAPIVersion":"v1"`, failed("400", `unknown desired API version \"v1\"; `+known)},
		"no kind":            {desired + `,"objects":[` + converted + `,{}]`, failed("400", `object 1: the field \"kind\" is missing`)},
		"no apiVersion":      {desired + `,"objects":[{"kind":"Person"}]`, failed("400", `object 0: the field \"apiVersion\" is missing`)},
		"other kind":         {desired + `,"objects":[{"kind":"Shed","apiVersion":"x"}]`, failed("400", `object 0: unexpected kind \"Shed\", expected \"Person\"`)},
		"unreadable value":   {desired + `,"objects":[` + object("v1alpha2", meta, `{"age":"x"}`) + `]`, failed("400", `object 0: $.spec.age: json: cannot unmarshal string into Go value of type int32 (x/n)`)},
		"function panics":    {desired + `,"objects":[` + object("v1alpha2", meta, `{"age":666}`) + `]`, failed("500", `object 0: $.spec.age: the conversion function panicked: no (x/n)`)},
		"function fails":     {`"uid":"u1","desiredAPIVersion":"example.com/v1alpha2","objects":[` + object("v1beta1", meta, `{"age":"x"}`) + `]`, failed("500", `object 0: $.spec.age: \"x\" is no age (x/n)`)},
		"no metadata":        {desired + `,"objects":[` + object("v1alpha2", "", `{"age":7}`) + `]`, `"uid":"u1","convertedObjects":[` + bare + `],` + success},
		"metadata is a list": {desired + `,"objects":[` + object("v1alpha2", `"metadata":[],`, `{"age":7}`) + `]`, failed("400", `object 0: the field \"metadata\" must be an object`)},
		"objects, an object": {desired + `,"objects":{}`, failed("400", `the ConversionReview is malformed: the field \"request.objects\" must be a list`)},
		"not an object":      {desired + `,"objects":[1]`, failed("400", `object 0: not a JSON object`)},
	} {
		t.Run(name, func(t *testing.T) {
			review := []byte(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{` + test.request + `}}`)
			want := `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{` + test.want + `}}`
			if got := string(c.Review(nil, review, "Person")); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			var out bytes.Buffer
			if err := c.WriteReview(&out, review, "Person"); err != nil || out.String() != want {
				t.Errorf("written: %v %s", err, out.String())
			}
			var steps []int
			out.Reset()
			if err := c.ObserveReview(&out, review, func(o Observation) { steps = append(steps, o.Steps) }, "Person"); err != nil || out.String() != want {
				t.Errorf("observed: %v %s", err, out.String())
			}
			if name == "objects" && (len(steps) != 2 || steps[0] != 1 || steps[1] != 0) {
				t.Errorf("steps %v", steps)
			}
		})
	}
}

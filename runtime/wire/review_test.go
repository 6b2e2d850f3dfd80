package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestReview(t *testing.T) {
	const (
		v1beta1 = `{"apiVersion":"shop.example.com/v1beta1","kind":"Shop","metadata":{"namespace":"x","name":"n"},"spec":{"instances":1}}`
		v1      = `{"apiVersion":"shop.example.com/v1","kind":"Shop","metadata":{"namespace":"x","name":"n"},"spec":{"replicas":1,"currency":"EUR","token":"t","city": "Rome"}}`
		desired = `"uid":"u1","desiredAPIVersion":"shop.example.com/v1"`
		success = `"result":{"status":"Success"}`
		meta    = `"metadata":{"namespace":"x","name":"n"},`
	)
	bare := strings.Replace(v1, meta, "", 1)
	completed := strings.TrimSuffix(bare, "}") + `,"metadata":{}}`
	c := converter(t)
	for name, test := range map[string]struct{ request, want string }{
		"objects":            {desired + `,"objects":[` + v1beta1 + ` , ` + v1 + `]`, `"uid":"u1","convertedObjects":[` + v1 + `,` + v1 + `],` + success},
		"objects come first": {`"objects":[` + v1beta1 + `],` + desired, `"uid":"u1","convertedObjects":[` + v1 + `],` + success},
		"empty list":         {desired + `,"objects":[]`, `"uid":"u1","convertedObjects":[],` + success},
		"no list":            {desired, `"uid":"u1","convertedObjects":[],` + success},
		"unknown desired":    {`"uid":"u1","desiredAPIVersion":"shop.example.com/v7","objects":[1]`, failed(400, `unknown desired API version \"shop.example.com/v7\"; known are shop.example.com/v1beta1, shop.example.com/v1alpha1, shop.example.com/v1`)},
		"desired, escaped":   {`"uid":"u1","desiredAPIVersion":"shop.example.com\u002fv1","objects":[` + v1beta1 + `]`, `"uid":"u1","convertedObjects":[` + v1 + `],` + success},
		"desired, a number":  {`"uid":"u1","desiredAPIVersion":1,"objects":[` + v1beta1 + `]`, failed(400, `unknown desired API version \"\"; known are shop.example.com/v1beta1, shop.example.com/v1alpha1, shop.example.com/v1`)},
		"desired, no group":  {`"uid":"u1","desiredAPIVersion":"v1"`, failed(400, `unknown desired API version \"v1\"; known are shop.example.com/v1beta1, shop.example.com/v1alpha1, shop.example.com/v1`)},
		"no kind":            {desired + `,"objects":[` + v1 + `,{}]`, failed(400, `object 1: the field \"kind\" is missing`)},
		"kind is a number":   {desired + `,"objects":[{"kind":1,"apiVersion":2}]`, failed(400, `object 0: the field \"kind\" must be a string`)},
		"no apiVersion":      {desired + `,"objects":[{"kind":"Shop"}]`, failed(400, `object 0: the field \"apiVersion\" is missing`)},
		"apiVersion is null": {desired + `,"objects":[{"kind":"Shop","apiVersion":null}]`, failed(400, `object 0: the field \"apiVersion\" must be a string`)},
		"other kind":         {desired + `,"objects":[{"kind":"Shed","apiVersion":"x"}]`, failed(400, `object 0: unexpected kind \"Shed\", expected \"Shop\"`)},
		"unknown version":    {desired + `,"objects":[{"kind":"Shop","apiVersion":"shop.example.com/v0"}]`, failed(400, `object 0: unknown API version \"shop.example.com/v0\"`)},
		"unreadable value":   {desired + `,"objects":[` + strings.Replace(v1beta1, `"instances":1`, `"timeout":1`, 1) + `]`, failed(400, `object 0: $.spec.timeout: not a string (x/n)`)},
		"function panics":    {desired + `,"objects":[` + strings.Replace(v1beta1, `"instances":1`, `"timeout":"panic"`, 1) + `]`, failed(500, `object 0: $.spec.timeout: the conversion function panicked: no (x/n)`)},
		"function fails":     {`"uid":"u1","desiredAPIVersion":"shop.example.com/v1beta1","objects":[` + strings.Replace(v1, `"replicas":1`, `"timeoutSeconds":-1`, 1) + `]`, failed(500, `object 0: $.spec.timeoutSeconds: negative (x/n)`)},
		"no metadata":        {desired + `,"objects":[` + strings.Replace(v1beta1, meta, "", 1) + `,` + bare + ` ]`, `"uid":"u1","convertedObjects":[` + completed + `,` + completed + `],` + success},
		"null metadata":      {desired + `,"objects":[` + strings.Replace(v1beta1, meta, `"metadata": null ,`, 1) + `]`, `"uid":"u1","convertedObjects":[` + strings.Replace(v1, meta, `"metadata": {} ,`, 1) + `],` + success},
		"escaped metadata":   {desired + `,"objects":[` + strings.Replace(v1, `"metadata"`, `"m\u0065tadata"`, 1) + `]`, `"uid":"u1","convertedObjects":[` + strings.Replace(v1, `"metadata"`, `"m\u0065tadata"`, 1) + `],` + success},
		"metadata is a list": {desired + `,"objects":[` + v1 + `,` + strings.Replace(v1beta1, meta, `"metadata":[],`, 1) + `]`, failed(400, `object 1: the field \"metadata\" must be an object`)},
		"metadata, a string": {desired + `,"objects":[` + strings.Replace(v1, meta, `"metadata":"n",`, 1) + `]`, failed(400, `object 0: the field \"metadata\" must be an object`)},
		"null list":          {desired + `,"objects":null`, `"uid":"u1","convertedObjects":[],` + success},
		"objects, an object": {desired + `,"objects":{}`, failed(400, `the ConversionReview is malformed: the field \"request.objects\" must be a list`)},
		"objects, a string":  {`"objects":"x",` + desired, failed(400, `the ConversionReview is malformed: the field \"request.objects\" must be a list`)},
		"uid is a number":    {`"uid":1,"desiredAPIVersion":"shop.example.com/v1","objects":[]`, strings.Replace(failed(400, `the ConversionReview is malformed: the field \"request.uid\" must be a string`), "u1", "", 1)},
		"not an object":      {desired + `,"objects":[1]`, failed(400, `object 0: not a JSON object`)},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.Review(nil, []byte(`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"ConversionReview","request":{`+test.request+`}}`), "Shop")
			want := `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1beta1","response":{` + test.want + `}}`
			if string(got) != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
	for in, message := range map[string]string{
		``: "request missing", `[]`: "request missing", `{}`: "request missing", `{"request":null}`: "request missing",
		`{"request":[]}`: `the ConversionReview is malformed: the field "request" must be an object`,
		`{"apiVersion":1,"request":{"desiredAPIVersion":"shop.example.com/v1"}}`: `the ConversionReview is malformed: the field "apiVersion" must be a string`,
		`{"request":{}`: "the ConversionReview is malformed", `{"request":{}} x`: "the ConversionReview is malformed",
	} {
		var answer struct {
			Response struct {
				UID    string
				Result struct {
					Status, Message string
					Code            int
				}
			}
		}
		got := c.Review([]byte("[1,"), []byte(in))
		if err := json.Unmarshal(got[3:], &answer); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		if r := answer.Response; r.UID != "" || r.Result.Status != "Failed" || r.Result.Code != 400 || !strings.HasPrefix(r.Result.Message, message) {
			t.Errorf("%s: %s", in, got)
		}
	}
}

func failed(code int, message string) string {
	reason := map[int]string{400: "BadRequest", 500: "InternalError"}[code]
	number, _ := json.Marshal(code)
	return `"uid":"u1","convertedObjects":[],"result":{"status":"Failed","message":"` + message + `","reason":"` + reason + `","code":` + string(number) + `}`
}

// TestObserveReview checks what observers see, up to the object that fails.
func TestObserveReview(t *testing.T) {
	review := []byte(`{"request":{"uid":"u","desiredAPIVersion":"shop.example.com/v1","objects":[{` + beta + `},{` + ga + `},{"kind":"Rack"},{` + beta + `}]}}`)
	var got []Observation
	var out bytes.Buffer
	c := converter(t)
	if err := c.ObserveReview(&out, review, func(o Observation) {
		if o.Begin.IsZero() || o.End.Before(o.Begin) {
			t.Errorf("from %s to %s", o.Begin, o.End)
		}
		o.Begin, o.End = time.Time{}, time.Time{}
		got = append(got, o)
	}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), c.Review(nil, review)) {
		t.Errorf("the answer differs: %s", &out)
	}
	if len(got) != 3 || got[2].Err == nil || got[2].Kind != "Rack" {
		t.Fatalf("%+v", got)
	}
	const v1 = "shop.example.com/v1"
	for i, want := range []Observation{
		{Kind: got[0].Kind, APIVersion: "shop.example.com/v1beta1", Desired: v1, Steps: 1},
		{Kind: got[0].Kind, APIVersion: v1, Desired: v1},
	} {
		if got[i] != want || want.Kind == "" {
			t.Errorf("object %d: %+v", i, got[i])
		}
	}
}

// TestWriteReview answers a review in several chunks, with objects that grow.
func TestWriteReview(t *testing.T) {
	c := converter(t)
	for _, size := range []int{10, 1000, 2 * chunkSize} {
		object := `{` + beta + `,"spec":{"instances":1,"x":"` + strings.Repeat("y", size) + `"}}`
		for _, last := range []string{object, `{}`} {
			objects := strings.Repeat(object+",", 3*chunkSize/len(object)+1) + last
			review := []byte(`{"request":{"uid":"u","desiredAPIVersion":"shop.example.com/v1","objects":[` + objects + `]}}`)
			var out bytes.Buffer
			if err := c.WriteReview(&out, review); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out.Bytes(), c.Review(nil, review)) {
				t.Errorf("objects of %d bytes, the last %.20s: the answer differs from that of Review", len(object), last)
			}
		}
	}
	for n := range 2 {
		w := &full{left: n}
		if err := c.WriteReview(w, []byte(`{"request":{"uid":"u","desiredAPIVersion":"shop.example.com/v1","objects":[`+strings.Repeat(`{`+ga+`},`, chunkSize/20)+`{`+ga+`}]}}`)); err == nil {
			t.Error("an answer that cannot be written is no error")
		}
	}
}

// TestSharedMemory answers reviews of all sizes at once, which have the memory of earlier ones, failed ones
// included.
func TestSharedMemory(t *testing.T) {
	c := converter(t)
	var reviews, answers [][]byte
	for i, n := range []int{1, 3000, 2, 0, 40, 20_000, 7} {
		objects := strings.Repeat(`{`+beta+`,"spec":{"timeout":"5s"}},`, n)
		for _, last := range []string{`{` + beta + `,"metadata":{"name":"` + strings.Repeat("n", i) + `"}}`, `{` + beta + `,"spec":{"timeout":1}}`} {
			for _, to := range []string{"v1", "v1alpha1"} {
				reviews = append(reviews, []byte(`{"request":{"uid":"u`+to+`","desiredAPIVersion":"shop.example.com/`+to+`","objects":[`+objects+last+`]}}`))
			}
		}
	}
	for _, review := range reviews {
		answers = append(answers, c.Review(nil, review))
	}
	var group sync.WaitGroup
	for worker := range 3 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range reviews {
				n := (i + worker*5) % len(reviews)
				var out bytes.Buffer
				if err := c.WriteReview(&out, reviews[n]); err != nil || !bytes.Equal(out.Bytes(), answers[n]) {
					t.Errorf("review %d: %v\n%.200s\nwant %.200s", n, err, out.Bytes(), answers[n])
				}
			}
		}()
	}
	group.Wait()
}

// full is a writer that fails.
type full struct{ left int }

func (w *full) Write(text []byte) (int, error) {
	if w.left == 0 {
		return 0, errors.New("full")
	}
	w.left--
	return len(text), nil
}

// FuzzReview answers any text: the answer is always a ConversionReview.
func FuzzReview(f *testing.F) {
	f.Add([]byte(`{"apiVersion":"a","request":{"uid":"u","desiredAPIVersion":"shop.example.com/v1","objects":[{` + beta + `,"spec":{"timeout":"5s"}}]}}`))
	f.Add([]byte(`{"request":{"uid":"\u00e9","objects":{},"desiredAPIVersion":"shop.example.com/v1beta1"}}`))
	f.Add([]byte(`{"request":{"uid":1,"desiredAPIVersion":"shop.example.com/v1","objects":[{` + beta + `,"spec":{"shelves":[{"id":[]}],"byName":{"":[null]}}},[]`))
	f.Add([]byte(`{"request":{"desiredAPIVersion":"shop.example.com/v1alpha1","objects":[{` + ga + `,"status":{"changedValues":{"format":1,"upgrades":{"v1":[{"jsonPath":"$.spec[?@.a=='"}]}}}}]}}`))
	f.Add([]byte(`{"apiVersion":{},"request":{"uid":[],"desiredAPIVersion":"shop.example.com/v1","objects":[{` + ga + `,"metadata":null},{` + beta + `,"metadata":1}]}}`))
	f.Add([]byte(`{"request":{"objects":[{"apiVersion":"shop.example.com\u002fv1","kind":"\ud800"}],"request":{},"desiredAPIVersion":null}}`))
	f.Add([]byte(`{"request":{"uid":"u","desiredAPIVersion":"shop.example.com\u002fv1","objects":[ {` + beta + `,"apiVersion":1,"metadata":{"a":1},"met\u0061data":{},"spec":{"shelves":[]}} , {` + ga + `} ]}}`))
	converters := []*Converter{converter(f), trackedConverter(f, Status), trackedConverter(f, Annotation)}
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, c := range converters {
			checkAnswer(t, c, in)
		}
	})
}

// TestOrder answers reviews whose members have an order that only some are converted in one pass in.
func TestOrder(t *testing.T) {
	c := converter(t)
	const uid, desired, objects = `"uid":"u"`, `"desiredAPIVersion":"shop.example.com/v1"`, `"objects":[{` + beta + `,"spec":{"instances":1}} , {` + ga + `}]`
	want := c.Review(nil, []byte(`{"apiVersion":"a","request":{`+uid+`,`+desired+`,`+objects+`}}`))
	for in, streams := range map[string]bool{
		`{"apiVersion":"a","kind":"ConversionReview","request":{` + uid + `,` + desired + `,` + objects + `}}`:       true,
		`{"apiVersion":"a","request":{` + desired + `,` + uid + `,"x":[{}],` + objects + `,"y":null},"response":{}}`: true,
		`{"request":{` + uid + `,` + desired + `,` + objects + `},"apiVersion":"a"}`:                                 false,
		`{"apiVersion":"a","request":{` + objects + `,` + uid + `,` + desired + `}}`:                                 false,
		`{"apiVersion":"a","request":{` + uid + `,` + objects + `,` + desired + `}}`:                                 false,
		`{"apiVersion":"a","request":{` + desired + `,` + objects + `,` + uid + `}}`:                                 false,
		`{"apiVersion":"a","request":{` + desired + `,"objects":[],` + objects + `,` + uid + `}}`:                    false,
		`{"apiVersion":"a","request":{"uid":"x"},"request":{` + uid + `,` + desired + `,` + objects + `}}`:           false,
	} {
		if got := c.Review(nil, []byte(in)); !bytes.Equal(got, want) {
			t.Errorf("%s:\n%s", in, got)
		}
		if _, ok := newReviewer(c, []byte(in), nil).stream(nil); ok != streams {
			t.Errorf("%s: in one pass: %t", in, ok)
		}
	}
}

// checkAnswer checks that the answer to any text is a ConversionReview, the same in one pass.
func checkAnswer(t *testing.T, c *Converter, in []byte) {
	t.Helper()
	got := c.Review(nil, in)
	if streamed, ok := newReviewer(c, in, nil).stream(nil); ok {
		if whole, err := newReviewer(c, in, nil).review(nil); err != nil || !bytes.Equal(streamed, whole) {
			t.Fatalf("%s\nin one pass  %s\nin two       %s, %v", in, streamed, whole, err)
		}
	}
	var answer struct {
		Kind     string
		Response *struct {
			ConvertedObjects []json.RawMessage
			Result           struct{ Status string }
		}
	}
	if err := json.Unmarshal(got, &answer); err != nil {
		t.Fatalf("%s: %v", got, err)
	}
	if answer.Kind != "ConversionReview" || answer.Response == nil || answer.Response.ConvertedObjects == nil {
		t.Fatalf("%s", got)
	}
	if status := answer.Response.Result.Status; status != "Success" && (status != "Failed" || len(answer.Response.ConvertedObjects) > 0) {
		t.Fatalf("%s", got)
	}
}

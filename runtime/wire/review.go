package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Review appends the answer to a ConversionReview to dst. With kinds, objects of other
// kinds are refused. A review that cannot be converted gets an answer too: the first
// mistake, and no objects.
func (c *Converter) Review(dst, review []byte, kinds ...string) []byte {
	r := reviewer{converter: c, kinds: kinds, src: review, apiVersion: []byte(`"apiextensions.k8s.io/v1"`), uid: []byte(`""`)}
	dst = slices.Grow(dst, len(review)+len(review)/8+512)
	start := len(dst)
	out, err := r.review(dst)
	if err == nil {
		return out
	}
	return r.failure(dst[:start], err)
}

// WriteReview writes the answer to a ConversionReview, like Review. It takes the memory of the
// objects once, however many there are; Review takes a multiple of it when they grow.
func (c *Converter) WriteReview(w io.Writer, review []byte, kinds ...string) error {
	r := reviewer{converter: c, kinds: kinds, src: review, apiVersion: []byte(`"apiextensions.k8s.io/v1"`), uid: []byte(`""`), chunk: chunkSize}
	last, err := r.review(make([]byte, 0, min(chunkSize, len(review)+512)))
	if err != nil {
		r.chunks, last = nil, r.failure(nil, err)
	}
	for _, chunk := range append(r.chunks, last) {
		if _, err := w.Write(chunk); err != nil {
			return err
		}
	}
	return nil
}

// chunkSize is the number of bytes after which WriteReview begins a new chunk.
const chunkSize = 1 << 20

// Answer sets answer to the answer to a review. Both are pointers to Go types of a
// ConversionReview. An error means that one of them has another JSON.
func (c *Converter) Answer(review, answer any, kinds ...string) error {
	text, err := json.Marshal(review)
	if err != nil {
		return err
	}
	return json.Unmarshal(c.Review(nil, text, kinds...), answer)
}

// reviewer answers one review.
type reviewer struct {
	converter *Converter
	kinds     []string
	src       []byte
	// apiVersion and uid are JSON.
	apiVersion, uid []byte
	to              string
	buffer          buffer
	// chunks are the first parts of an answer that is in parts of about the size chunk.
	chunks [][]byte
	chunk  int
}

var errNoRequest = &Error{Err: errors.New("request missing in ConversionReview")}

func (r *reviewer) review(dst []byte) ([]byte, error) {
	i := space(r.src, 0)
	if i >= len(r.src) || r.src[i] != '{' {
		return nil, errNoRequest
	}
	request := -1
	var m member
	for o := open(i); ; o.at = m.end {
		more, err := o.member(r.src, &m)
		if err == nil && more {
			m.end, err = skip(r.src, m.value, 1)
		}
		if err == nil && !more && space(r.src, o.at) < len(r.src) {
			err = errSyntax
		}
		if err != nil {
			return nil, &Error{Err: fmt.Errorf("the ConversionReview is malformed: %w", err)}
		}
		if !more {
			break
		}
		switch string(r.src[m.key:m.keyEnd]) {
		case `"apiVersion"`:
			if r.src[m.value] == '"' {
				r.apiVersion = r.src[m.value:m.end]
			}
		case `"request"`:
			request = m.value
		}
	}
	if request < 0 || r.src[request] != '{' {
		return nil, errNoRequest
	}
	objects, err := r.request(request)
	if err != nil {
		return nil, err
	}
	dst = r.begin(dst)
	dst = append(dst, `,"convertedObjects":[`...)
	if objects >= 0 {
		if dst, err = r.objects(dst, objects); err != nil {
			return nil, err
		}
	}
	return append(dst, `],"result":{"status":"Success"}}}`...), nil
}

// request reads the head of a request, whose JSON is valid, and returns where its objects
// are; -1 for none.
func (r *reviewer) request(i int) (objects int, err error) {
	objects = -1
	var desired []byte
	var m member
	for o := open(i); ; o.at = m.end {
		more, err := o.member(r.src, &m)
		if err != nil {
			return 0, err
		}
		if !more {
			break
		}
		if m.end, err = skip(r.src, m.value, 2); err != nil {
			return 0, err
		}
		switch string(r.src[m.key:m.keyEnd]) {
		case `"uid"`:
			if r.src[m.value] == '"' {
				r.uid = r.src[m.value:m.end]
			}
		case `"desiredAPIVersion"`:
			desired = r.src[m.value:m.end]
		case `"objects"`:
			if r.src[m.value] == '[' {
				objects = m.value
			}
		}
	}
	text := ""
	if len(desired) > 0 && desired[0] == '"' {
		text, _ = unquote(desired)
	}
	to, ok := r.converter.version([]byte(text))
	if !ok {
		var known []string
		for _, v := range r.converter.versions {
			known = append(known, apiVersion(r.converter.group, v))
		}
		return 0, &Error{Err: fmt.Errorf("unknown desired API version %q; known are %s", text, strings.Join(known, ", "))}
	}
	r.to = to
	return objects, nil
}

// objects appends the converted objects of a list.
func (r *reviewer) objects(dst []byte, i int) ([]byte, error) {
	o := open(i)
	for n := 0; ; n++ {
		more, err := o.item(r.src)
		if err != nil || !more {
			return dst, err
		}
		at := o.at
		if o.at, err = skip(r.src, at, 3); err != nil {
			return nil, err
		}
		if n > 0 {
			dst = append(dst, ',')
		}
		object := r.src[at:o.at:o.at]
		if room := len(object) + len(object)/8 + 64; r.chunk > 0 && cap(dst)-len(dst) < room {
			r.chunks = append(r.chunks, dst)
			dst = make([]byte, 0, max(r.chunk, room))
		}
		if dst, err = r.converter.convert(dst, object, r.to, &r.buffer, r.kinds...); err != nil {
			return nil, objectError(n, object, err)
		}
	}
}

// objectError says which object of a list failed.
func objectError(n int, object []byte, err error) error {
	reason := Invalid
	if e := (*Error)(nil); errors.As(err, &e) {
		reason = e.Reason
	}
	var named struct {
		Metadata struct{ Namespace, Name string }
	}
	text := "object " + strconv.Itoa(n) + ": " + err.Error()
	if json.Unmarshal(object, &named) == nil && named.Metadata.Name != "" {
		name := named.Metadata.Name
		if named.Metadata.Namespace != "" {
			name = named.Metadata.Namespace + "/" + name
		}
		text += " (" + name + ")"
	}
	return &Error{Reason: reason, Err: errors.New(text)}
}

func (r *reviewer) begin(dst []byte) []byte {
	dst = append(append(dst, `{"kind":"ConversionReview","apiVersion":`...), r.apiVersion...)
	return append(append(dst, `,"response":{"uid":`...), r.uid...)
}

// failure appends the answer to a review that cannot be converted.
func (r *reviewer) failure(dst []byte, err error) []byte {
	reason, code := "BadRequest", "400"
	if e := (*Error)(nil); errors.As(err, &e) && e.Reason == Failed {
		reason, code = "InternalError", "500"
	}
	dst = append(r.begin(dst), `,"convertedObjects":[],"result":{"status":"Failed","message":`...)
	dst = append(dst, quote(err.Error())...)
	return append(dst, `,"reason":"`+reason+`","code":`+code+`}}}`...)
}

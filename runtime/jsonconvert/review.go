package jsonconvert

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Review appends the answer to a ConversionReview to dst. With kinds, objects of other
// kinds are refused. A review that cannot be converted gets an answer too: the first
// mistake, and no objects.
func (c *Converter) Review(dst, review []byte, kinds ...string) []byte {
	r := newReviewer(c, review, kinds)
	defer r.release()
	dst = slices.Grow(dst, room(len(review)))
	if out, ok := r.stream(dst); ok {
		return out
	}
	r.reset()
	out, err := r.review(dst)
	if err == nil {
		return out
	}
	return r.failure(dst, err)
}

// room is how many bytes an answer of objects of a size usually has at most.
func room(size int) int { return size + size/8 + 512 }

// WriteReview writes the answer to a ConversionReview, like Review. It takes the memory of the
// objects once, however many there are; Review takes a multiple of it when they grow.
func (c *Converter) WriteReview(w io.Writer, review []byte, kinds ...string) error {
	r := newReviewer(c, review, kinds)
	defer r.release()
	r.chunk = chunkSize
	last, ok := r.stream(r.first())
	if !ok {
		r.reset()
		return r.writeReview(w)
	}
	return r.write(w, last)
}

// writeReview writes the answer to a review of any order.
func (r *reviewer) writeReview(w io.Writer) error {
	last, err := r.review(r.first())
	if err != nil {
		r.keep()
		last = r.failure(nil, err)
	}
	return r.write(w, last)
}

// write writes the answer.
func (r *reviewer) write(w io.Writer, last []byte) error {
	r.chunks = append(r.chunks, last)
	for _, chunk := range r.chunks {
		if _, err := w.Write(chunk); err != nil {
			return err
		}
	}
	return nil
}

// Observation is the conversion of one object of a review.
type Observation struct {
	// Kind and APIVersion are those of the object as it was sent; "" if they are unknown.
	Kind, APIVersion string
	// Desired is the apiVersion to convert to.
	Desired string
	// Steps is the number of steps between neighbouring versions: none for an object that has the version already.
	Steps      int
	Begin, End time.Time
	// Err is why the object cannot be converted, with which the review fails.
	Err error
}

// ObserveReview is like WriteReview, and calls a function for each object, in order. It is for
// traces and metrics.
func (c *Converter) ObserveReview(w io.Writer, review []byte, observe func(Observation), kinds ...string) error {
	r := newReviewer(c, review, kinds)
	defer r.release()
	r.chunk, r.observe = chunkSize, observe
	return r.writeReview(w)
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
	to              int
	memory          *memory
	// chunks are the first parts of an answer that is in parts of about the size chunk.
	chunks [][]byte
	chunk  int
	// observe is called for each object; nil observes nothing.
	observe func(Observation)
	// spare is the memory of an earlier answer's parts.
	spare [][]byte
}

// reviewers have the memory of earlier answers. The garbage collector takes it if there are no more
// reviews.
var reviewers = sync.Pool{New: func() any { return &reviewer{} }}

func newReviewer(c *Converter, review []byte, kinds []string) *reviewer {
	r := reviewers.Get().(*reviewer)
	r.converter, r.kinds, r.src, r.memory = c, kinds, review, c.memories.Get().(*memory)
	r.reset()
	return r
}

var defaultAPIVersion, noUID = []byte(`"apiextensions.k8s.io/v1"`), []byte(`""`)

// reset forgets what was read of the review.
func (r *reviewer) reset() {
	r.apiVersion, r.uid, r.to = defaultAPIVersion, noUID, 0
	r.keep()
}

// release makes the memory available to other reviews. The reviewer must not be used afterwards.
func (r *reviewer) release() {
	r.keep()
	r.memory.reset()
	r.converter.memories.Put(r.memory)
	*r = reviewer{spare: r.spare, chunks: r.chunks}
	reviewers.Put(r)
}

// keepChunks is how many parts of an answer are kept for the next.
const keepChunks = 8

// keep makes the memory of the parts spare.
func (r *reviewer) keep() {
	for i, chunk := range r.chunks {
		if len(r.spare) < keepChunks && cap(chunk) <= 2*chunkSize {
			r.spare = append(r.spare, chunk[:0])
		}
		r.chunks[i] = nil
	}
	r.chunks = r.chunks[:0]
}

// part returns memory for a part of an answer: at least need bytes, and usually size.
func (r *reviewer) part(size, need int) []byte {
	if n := len(r.spare) - 1; n >= 0 {
		spare := r.spare[n]
		r.spare[n], r.spare = nil, r.spare[:n]
		if cap(spare) >= max(need, min(size, r.chunk)) {
			return spare
		}
	}
	return make([]byte, 0, max(min(r.chunk, size), need))
}

// first returns memory for the first part.
func (r *reviewer) first() []byte { return r.part(room(len(r.src)), 0) }

// stream appends the answer to a review whose head is before its objects, as API servers write it,
// in one pass. It returns false for other reviews, and for those that cannot be converted.
func (r *reviewer) stream(dst []byte) ([]byte, bool) {
	i := space(r.src, 0)
	if i >= len(r.src) || r.src[i] != '{' {
		return nil, false
	}
	request := false
	var m member
	for o := open(i); ; o.at = m.end {
		more, err := o.member(r.src, &m)
		if err != nil {
			return nil, false
		}
		if !more {
			if !request || space(r.src, o.at) < len(r.src) {
				return nil, false
			}
			return append(dst, `],"result":{"status":"Success"}}}`...), true
		}
		apiVersion := false
		switch string(r.src[m.key:m.keyEnd]) {
		case `"request"`:
			if request {
				return nil, false // its value comes too late
			}
			if dst, m.end, request = r.streamRequest(dst, m.value); !request {
				return nil, false
			}
			continue
		case `"apiVersion"`:
			if apiVersion = true; request {
				return nil, false
			}
		}
		if m.end, err = skip(r.src, m.value, 1); err != nil {
			return nil, false
		}
		if apiVersion && !r.head(&r.apiVersion, &m) {
			return nil, false
		}
	}
}

// head keeps the value of a member, which is a string or null; false for others.
func (r *reviewer) head(of *[]byte, m *member) bool {
	switch r.src[m.value] {
	case '"':
		*of = r.src[m.value:m.end]
	case 'n':
	default:
		return false
	}
	return true
}

// streamRequest appends the answer to the request at i, up to the end of the objects.
func (r *reviewer) streamRequest(dst []byte, i int) (_ []byte, end int, ok bool) {
	if r.src[i] != '{' {
		return nil, 0, false
	}
	objects, desired := false, []byte(nil)
	var m member
	for o := open(i); ; o.at = m.end {
		more, err := o.member(r.src, &m)
		if err != nil || !more {
			return dst, o.at, err == nil && objects
		}
		var head *[]byte
		switch string(r.src[m.key:m.keyEnd]) {
		case `"objects"`:
			if objects || r.desire(desired) != nil || r.src[m.value] != '[' {
				return nil, 0, false
			}
			objects = true
			dst = append(r.begin(dst), `,"convertedObjects":[`...)
			if dst, m.end, err = r.objects(dst, m.value); err != nil {
				return nil, 0, false
			}
			continue
		case `"uid"`:
			head = &r.uid
		case `"desiredAPIVersion"`:
			head = &desired
		}
		if head != nil && objects {
			return nil, 0, false // its value comes too late
		}
		if m.end, err = skip(r.src, m.value, 2); err != nil {
			return nil, 0, false
		}
		if head != nil && !r.head(head, &m) {
			return nil, 0, false
		}
	}
}

var errNoRequest = &Error{Err: errors.New("request missing in ConversionReview")}

func (r *reviewer) review(dst []byte) ([]byte, error) {
	i := space(r.src, 0)
	if i >= len(r.src) || r.src[i] != '{' {
		return nil, errNoRequest
	}
	request := -1
	var mistake error
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
			if !r.head(&r.apiVersion, &m) {
				mistake = errMember("apiVersion", "a string")
			}
		case `"request"`:
			request = m.value
		}
	}
	if request < 0 || r.src[request] == 'n' {
		return nil, errNoRequest
	}
	if r.src[request] != '{' {
		return nil, errMember("request", "an object")
	}
	objects, err := r.request(request)
	if err == nil {
		err = mistake
	}
	if err != nil {
		return nil, err
	}
	dst = r.begin(dst)
	dst = append(dst, `,"convertedObjects":[`...)
	if objects >= 0 {
		if dst, _, err = r.objects(dst, objects); err != nil {
			return nil, err
		}
	}
	return append(dst, `],"result":{"status":"Success"}}}`...), nil
}

// errMember is the error of a member of a review that has another type.
func errMember(name, want string) error {
	return &Error{Err: fmt.Errorf("the ConversionReview is malformed: the field %q must be %s", name, want)}
}

// request reads the head of a request, whose JSON is valid, and returns where its objects
// are; -1 for none.
func (r *reviewer) request(i int) (objects int, err error) {
	objects = -1
	var desired []byte
	var mistake error
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
			if !r.head(&r.uid, &m) {
				mistake = errMember("request.uid", "a string")
			}
		case `"desiredAPIVersion"`:
			desired = r.src[m.value:m.end]
		case `"objects"`:
			switch r.src[m.value] {
			case '[':
				objects = m.value
			case 'n': // Go's nil list
			default:
				mistake = errMember("request.objects", "a list")
			}
		}
	}
	if err := r.desire(desired); err != nil {
		return 0, err
	}
	return objects, mistake
}

// desire sets the version to convert to from its JSON.
func (r *reviewer) desire(desired []byte) error {
	name := ""
	if len(desired) > 0 && desired[0] == '"' {
		name, _ = unquote(string(desired))
	}
	var known []string
	for k := range r.converter.api.Versions {
		if known = append(known, r.converter.apiVersion(k)); known[k] == name {
			r.to = k
			return nil
		}
	}
	return &Error{Err: fmt.Errorf("unknown desired API version %q; known are %s", name, strings.Join(known, ", "))}
}

// objects appends the converted objects of a list, and returns the index after it.
func (r *reviewer) objects(dst []byte, i int) (_ []byte, end int, err error) {
	o := open(i)
	size := 0 // of the last object
	for n := 0; ; n++ {
		more, err := o.item(r.src)
		if err != nil || !more {
			return dst, o.at, err
		}
		if n > 0 {
			dst = append(dst, ',')
		}
		if need := size + size/8 + 64; r.chunk > 0 && cap(dst)-len(dst) < need {
			r.chunks = append(r.chunks, dst)
			dst = r.part(room(len(r.src)-o.at), need)
		}
		begin, at := r.begins(), len(dst)
		dst, size, err = r.converter.next(r.memory, dst, stringOf(r.src[o.at:]), r.to, r.kinds...)
		r.memory.reset()
		if err == nil {
			dst, err = withMetadata(dst, at)
		}
		r.ends(begin, r.src[o.at:], err)
		if err != nil {
			object, _ := skip(r.src, o.at, 3)
			return nil, 0, objectError(n, r.src[o.at:max(object, o.at)], err)
		}
		o.at += size
	}
}

// withMetadata adds metadata to an object that has none, or null, at the end of dst. API servers refuse
// such objects in an answer, and send them: server-side apply converts objects without the fields that a
// manager no longer applies, and with these it removes metadata of which nothing else has an owner.
// Metadata that is no object is an error.
func withMetadata(dst []byte, at int) ([]byte, error) {
	object := dst[at:]
	var m member
	for o := open(space(object, 0)); ; o.at = m.end {
		more, err := o.member(object, &m)
		if err != nil || !more {
			return append(dst[:len(dst)-1], `,"metadata":{}}`...), err
		}
		key := object[m.key:m.keyEnd]
		isMetadata := string(key) == `"metadata"` || !m.plain && plainKey(string(key[1:len(key)-1])) == "metadata"
		if isMetadata && object[m.value] == '{' {
			return dst, nil
		}
		if m.end, err = skip(object, m.value, 1); err != nil {
			return dst, err
		}
		switch {
		case !isMetadata:
			continue
		case object[m.value] == 'n':
			return slices.Replace(dst, at+m.value, at+m.end, '{', '}'), nil
		}
		return dst, &Error{Err: errors.New(`the field "metadata" must be an object`)}
	}
}

// begins returns the time if somebody observes.
func (r *reviewer) begins() (now time.Time) {
	if r.observe != nil {
		now = time.Now()
	}
	return now
}

// ends reports the conversion of the object that a text begins with.
func (r *reviewer) ends(begin time.Time, text []byte, err error) {
	if r.observe == nil {
		return
	}
	o := Observation{Desired: r.converter.apiVersion(r.to), Begin: begin, End: time.Now(), Err: err}
	var head struct{ APIVersion, Kind string }
	if end, err := skip(text, space(text, 0), 0); err == nil && json.Unmarshal(text[:end], &head) == nil {
		o.Kind, o.APIVersion = head.Kind, head.APIVersion
		for k := range r.converter.api.Versions {
			if r.converter.apiVersion(k) == head.APIVersion {
				o.Steps = max(k-r.to, r.to-k)
			}
		}
	}
	r.observe(o)
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
	if e := (*Error)(nil); errors.As(err, &e) && e.Reason != Invalid {
		reason, code = "InternalError", "500"
	}
	dst = append(r.begin(dst), `,"convertedObjects":[],"result":{"status":"Failed","message":`...)
	dst = appendQuoted(dst, err.Error())
	return append(dst, `,"reason":"`+reason+`","code":`+code+`}}}`...)
}

package requests

import (
	"slices"
	"sync"
)

// The limits of a log.
const (
	// Most is the number of requests that a log has.
	Most = 500
	// MostBytes is the size of their bodies and of the steps of admission.
	MostBytes = 32 << 20
	// MostBody is the size of one body. API servers accept 3 MiB.
	MostBody = 4 << 20
)

// Log has the last requests. When it is full, it drops the oldest one that was not rejected.
type Log struct {
	// Changed is called, in order, after each change of a request. It must return at once.
	Changed func(Request)

	mu    sync.Mutex
	list  []*Request
	bytes int
	last  int64
}

// add adds a request, and returns its ID.
func (l *Log) add(r Request) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	r.ID = l.last
	l.list = append(l.list, &r)
	l.note(&r, 0)
	return r.ID
}

// update changes a request, if the log has it still.
func (l *Log) update(id int64, change func(*Request)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.find(id); r != nil {
		before := r.size()
		change(r)
		l.note(r, before)
	}
}

// note accounts for a request that had a size before, and tells about it.
func (l *Log) note(r *Request, before int) {
	l.bytes += r.size() - before
	l.shrink(r)
	if l.Changed != nil {
		l.Changed(*r)
	}
}

// shrink drops requests until the log is within its limits, but not the one that has grown.
func (l *Log) shrink(r *Request) {
	for len(l.list) > 1 && (len(l.list) > Most || l.bytes > MostBytes) {
		i := slices.IndexFunc(l.list, func(other *Request) bool { return other != r && !other.Rejected })
		if i < 0 {
			i = slices.IndexFunc(l.list, func(other *Request) bool { return other != r })
		}
		l.bytes -= l.list[i].size()
		l.list = slices.Delete(l.list, i, i+1)
	}
}

func (l *Log) find(id int64) *Request {
	i := slices.IndexFunc(l.list, func(r *Request) bool { return r.ID == id })
	if i < 0 {
		return nil
	}
	return l.list[i]
}

// Get returns a request. ok is false if the log does not have it any more.
func (l *Log) Get(id int64) (r Request, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if found := l.find(id); found != nil {
		return *found, true
	}
	return r, false
}

// All returns the requests, the oldest first.
func (l *Log) All() []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]Request, len(l.list))
	for i, r := range l.list {
		list[i] = *r
	}
	return list
}

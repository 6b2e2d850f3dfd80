package workbench

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// hub sends events to all pages that are open.
type hub struct {
	mu      sync.Mutex
	clients map[chan []byte]bool
}

// waiting is the number of events that a page may be behind. It then connects again, and gets everything.
const waiting = 256

// heartbeat is how often a page hears from the server at least.
const heartbeat = 15 * time.Second

// send sends an event to all pages, without waiting for them.
func (h *hub) send(name string, data any) {
	message := event(name, data)
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.clients {
		select {
		case c <- message:
		default:
			delete(h.clients, c)
			close(c)
		}
	}
}

// event is a message of server-sent events.
func event(name string, data any) []byte {
	text, err := json.Marshal(data)
	if err != nil {
		name, text = "problem", []byte(fmt.Sprintf("%q", err))
	}
	return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, text)
}

// open adds a page.
func (h *hub) open() chan []byte {
	c := make(chan []byte, waiting)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.clients == nil {
		h.clients = map[chan []byte]bool{}
	}
	h.clients[c] = true
	return c
}

func (h *hub) close(c chan []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.clients[c] {
		delete(h.clients, c)
		close(c)
	}
}

// serve sends the first event, and then all others until the page is closed.
func (h *hub) serve(w http.ResponseWriter, r *http.Request, first func() []byte) {
	w.Header().Set("Content-Type", "text/event-stream")
	c := h.open()
	defer h.close(c)
	control := http.NewResponseController(w)
	write := func(message []byte) bool {
		_, err := w.Write(message)
		return err == nil && control.Flush() == nil
	}
	if !write(first()) { // after open, so that nothing is missing
		return
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-beat.C:
			if !write([]byte(": still here\n\n")) {
				return
			}
		case message, ok := <-c:
			if !ok || !write(message) {
				return
			}
		}
	}
}

package requests

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// report posts steps to a receiver as kindsmith-apiserver does, and returns the status.
func report(t *testing.T, r *Receiver, token, body string) int {
	t.Helper()
	env := map[string]string{}
	for _, v := range r.Env() {
		name, value, _ := strings.Cut(v, "=")
		env[name] = value
	}
	if token == "" {
		token = env["KINDSMITH_STEPS_TOKEN"]
	}
	q, err := http.NewRequest(http.MethodPost, env["KINDSMITH_STEPS_URL"], strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

// TestReceiver adds steps to the requests that they are of.
func TestReceiver(t *testing.T) {
	r, err := Receive()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if none := (*Receiver)(nil); r.Heard() || none.Heard() {
		t.Error("it has heard something")
	}
	if code := report(t, r, "other", "[]"); code != http.StatusUnauthorized || r.Heard() {
		t.Errorf("another token: %d", code)
	}
	if code := report(t, r, "", `[{"request":"lost"}]`); code != http.StatusNoContent || !r.Heard() {
		t.Errorf("before there is a log: %d", code)
	}
	var told []int
	l := &Log{Changed: func(r Request) { told = append(told, r.Reported) }}
	r.Into(l)
	for _, other := range []Request{{AuditID: "other"}, {AuditID: "secret", Withheld: "it is secret"}, {AuditID: "many", Verb: "deletecollection"}} {
		l.add(other)
	}
	id := l.add(Request{AuditID: "a", Done: true})
	told = nil
	batch := `[
		{"request":"a","plugin":"P","phase":"mutate","first":true,"before":{"n":1},"after":{"n":2},"webhooks":[{"webhook":"w","configuration":"c","mutated":true}]},
		{"request":"secret","plugin":"P","phase":"mutate","first":true,"before":{"n":1}},
		{"request":"many","plugin":"P","phase":"validate","first":true},
		{"request":"unknown","plugin":"P","phase":"mutate","first":true},
		{"request":"a","plugin":"V","phase":"validate","first":true,"before":{"n":2},"error":"no"}
	]`
	for _, bad := range []string{"{", `[{"plugin":1}]`} {
		if code := report(t, r, "", bad); code != http.StatusBadRequest {
			t.Errorf("%s: %d", bad, code)
		}
	}
	if code := report(t, r, "", "["+strings.Repeat(" ", mostBatch)+"]"); code != http.StatusRequestEntityTooLarge {
		t.Errorf("a batch that is too large: %d", code)
	}
	if code := report(t, r, "", batch); code != http.StatusNoContent {
		t.Errorf("%d", code)
	}
	for _, got := range l.All() {
		if got.ID != id && len(got.Steps) > 0 {
			t.Errorf("%s has steps", got.AuditID)
		}
	}
	got, _ := l.Get(id)
	if len(got.Steps) != 2 || got.Reported != 2 || string(got.Steps[0].After) != `{"n":2}` || got.Steps[0].Webhooks[0] != (Webhook{"w", "c", true}) || got.Steps[1].Error != "no" {
		t.Errorf("%+v", got.Steps)
	}
	if len(told) != 1 || told[0] != 2 {
		t.Errorf("it tells %v", told)
	}
	if text, _ := json.Marshal(got); strings.Contains(string(text), "before") {
		t.Errorf("the list of requests has objects: %s", text)
	}
	report(t, r, "", `[{"request":"a","plugin":"P","phase":"mutate","first":true,"before":{"n":3}}]`)
	if got, _ = l.Get(id); len(got.Steps) != 1 || string(got.Steps[0].Before) != `{"n":3}` {
		t.Errorf("after a conflict: %+v", got.Steps)
	}
}

// TestStepsCount fills the log with steps.
func TestStepsCount(t *testing.T) {
	l := &Log{}
	large := json.RawMessage(`"` + strings.Repeat("x", MostBytes/4) + `"`)
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		l.add(Request{AuditID: id, Rejected: id == "a"})
		l.Report([]Step{{Request: id, Phase: Mutate, First: true, Before: large}})
	}
	var kept []string
	for _, r := range l.All() {
		kept = append(kept, r.AuditID)
	}
	if got := strings.Join(kept, ""); got != "ade" {
		t.Errorf("the log has %s", got)
	}
	l.Report([]Step{{Request: "a", Phase: Validate, Before: large}, {Request: "a", Phase: Validate, Before: large}})
	if all := l.All(); len(all) != 1 || all[0].AuditID != "a" || len(all[0].Steps) != 3 {
		t.Errorf("the request that has grown is dropped: %d left", len(all))
	}
}

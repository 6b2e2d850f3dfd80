package dev

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// workbench is the page of a session, as its script uses it.
type workbench struct {
	*session
	address, token string
	// events are those that the page has got.
	events chan pageEvent
}

type pageEvent struct {
	name string
	data []byte
	at   time.Time
}

// shown is what the tests read of requests and reloads.
type shown struct {
	ID                      int64
	Verb, Resource, Name    string
	Agent, Version          string
	Code                    int
	Done, Rejected          bool
	Form, Manifest, Kubectl string
	Differences             []string
	Verdict                 struct {
		Problems []problem
		Steps    []struct{ Title, From, Text, Note, Refused string }
	}
	Reports bool
	Reload  struct {
		State    string
		Kept     bool
		Mistakes []struct {
			Message string
			At      struct {
				File string
				Line int
			}
		}
	}
}

type problem struct {
	Path, Message, Rule string
	Server, Rules       bool
	Range               struct{ Line, Column int }
	Declared            *struct {
		File string
		Line int
	}
}

// workbench opens the page.
func (s *session) workbench() *workbench {
	s.Helper()
	m := s.prints(`(http://127\.0\.0\.1:\d+)/#token=(\w+)`)
	w := &workbench{session: s, address: m[1], token: m[2], events: make(chan pageEvent, 1000)}
	answer := w.send("GET", "events", nil)
	s.Cleanup(func() { _ = answer.Body.Close() })
	go func() {
		var name string
		lines := bufio.NewReader(answer.Body)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				close(w.events)
				return
			}
			if text, ok := strings.CutPrefix(line, "event: "); ok {
				name = strings.TrimSpace(text)
			} else if text, ok := strings.CutPrefix(line, "data: "); ok {
				w.events <- pageEvent{name, []byte(text), time.Now()}
			}
		}
	}()
	return w
}

func (w *workbench) send(method, path string, body any) *http.Response {
	w.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		w.Fatal(err)
	}
	r, err := http.NewRequest(method, w.address+"/-/api/"+path, bytes.NewReader(text))
	if err != nil {
		w.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+w.token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		w.Fatal(err)
	}
	return answer
}

// call sends a request of the page, and decodes the answer.
func (w *workbench) call(method, path string, body, into any) {
	w.Helper()
	answer := w.send(method, path, body)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil || answer.StatusCode != http.StatusOK {
		w.Fatalf("%s %s: %s %v\n%s", method, path, answer.Status, err, text)
	}
}

// gets returns the next event that passes a test.
func (w *workbench) gets(name string, has func(shown) bool) (shown, time.Time) {
	w.Helper()
	limit := time.After(2 * time.Minute)
	for {
		select {
		case e, ok := <-w.events:
			if !ok {
				w.Fatalf("the events end before %s", name)
			}
			var s shown
			if err := json.Unmarshal(e.data, &s); err != nil {
				w.Fatal(err)
			}
			if e.name == name && has(s) {
				return s, e.at
			}
		case <-limit:
			w.Fatalf("no event %s", name)
		}
	}
}

func id(n int64) string { return strconv.FormatInt(n, 10) }

// line returns the number of the line in the types that has a text.
func (p *project) line(text string) int {
	source, _, ok := strings.Cut(p.types, text)
	if !ok {
		p.Fatalf("the types have no %s", text)
	}
	return strings.Count(source, "\n") + 1
}

// TestWorkbench sees a request of kubectl that is refused, with the line, the rule and where it is declared; sends it again after
// the fix; and sees a save with a mistake.
func TestWorkbench(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	s := p.dev("./api/...", "--dir", ".dev")
	w := s.workbench()

	const manifest = "apiVersion: shop.example.com/v1beta1\nkind: Order\nmetadata:\n  name: first\n  namespace: default\nspec:\n  count: 101\n"
	begin := time.Now()
	if out, err := s.try(manifest, "apply", "-f", "-"); err == nil {
		t.Fatalf("count 101 is accepted: %s", out)
	}
	end := time.Now()
	refused, at := w.gets("request", func(r shown) bool { return r.Rejected && r.Done })
	if refused.Verb != "create" || refused.Resource != "orders" || refused.Version != "v1beta1" || refused.Agent != "kubectl" || refused.Code != 422 || refused.Name != "first" {
		t.Errorf("%+v", refused)
	}
	t.Logf("kubectl took %s; the page has the request %s before kubectl ends", end.Sub(begin), end.Sub(at))
	check := func(n int64) {
		t.Helper()
		var d shown
		w.call("GET", "requests/"+id(n), nil, &d)
		if len(d.Verdict.Problems) != 1 || d.Manifest != manifest || len(d.Differences) > 0 {
			t.Fatalf("%+v", d)
		}
		f := d.Verdict.Problems[0]
		if f.Path != "spec.count" || !f.Server || !f.Rules || f.Rule != "+k8s:maximum=100" || f.Range.Line != 7 || f.Range.Column != 10 {
			t.Errorf("%+v", f)
		}
		if f.Declared == nil || f.Declared.File != "api/v1/types.go" || f.Declared.Line != p.line("+k8s:maximum=100") {
			t.Errorf("declared at %+v", f.Declared)
		}
	}
	check(refused.ID)
	fixed := strings.Replace(manifest, "101", "99", 1)
	var judged struct{ Problems []problem }
	if w.call("POST", "requests/"+id(refused.ID)+"/judge", map[string]string{"text": fixed}, &judged); len(judged.Problems) > 0 {
		t.Errorf("the fixed manifest: %+v", judged.Problems)
	}
	var again shown
	if w.call("POST", "requests/"+id(refused.ID)+"/replay", map[string]string{"text": fixed}, &again); again.Code != 201 || again.ID == refused.ID || len(again.Differences) > 0 {
		t.Fatalf("sent again: %+v", again)
	}
	w.gets("request", func(r shown) bool { return r.ID == again.ID && r.Done && !r.Rejected })
	if got := s.kubectl("", "get", "orders.v1.shop.example.com", "first", "-o", "jsonpath={.spec.size}"); got != "99" {
		t.Errorf("the object has the size %q", got)
	}
	// kubectl apply goes on from what was sent, as if it had sent it: it removes what the manifest does not have any more.
	if out, err := s.try(manifest, "apply", "-f", "-"); err == nil || strings.Contains(out, "Warning") {
		t.Fatalf("%v: %s", err, out)
	}
	patched, _ := w.gets("request", func(r shown) bool { return r.Rejected && r.Done && r.Verb == "patch" })
	check(patched.ID)
	if w.call("POST", "requests/"+id(patched.ID)+"/replay", map[string]string{"text": strings.Replace(manifest, "  count: 101\n", "  {}\n", 1)}, &again); again.Code != 200 || again.Verb != "patch" {
		t.Fatalf("sent again: %+v", again)
	}
	if got := s.kubectl("", "get", "orders.v1.shop.example.com", "first", "-o", "jsonpath={.spec}"); got != "{}" {
		t.Errorf("the object has %q", got)
	}

	p.write("api/v1/types.go", strings.Replace(p.types, "+k8s:maximum=100", "+k8s:maxmum=100", 1))
	w.gets("reload", func(r shown) bool { return r.Reload.State == "generating" })
	failed, _ := w.gets("reload", func(r shown) bool { return r.Reload.State == "failed" })
	if m := failed.Reload.Mistakes; !failed.Reload.Kept || len(m) != 1 || m[0].At.File != "api/v1/types.go" || m[0].At.Line != p.line("+k8s:maximum") || !strings.Contains(m[0].Message, "did you mean +k8s:maximum") {
		t.Errorf("%+v", failed.Reload)
	}
	if _, err := s.try(manifest, "apply", "-f", "-"); err == nil {
		t.Error("the rules of before are gone")
	}
	kept, _ := w.gets("request", func(r shown) bool { return r.Rejected && r.Done })
	check(kept.ID)
	p.write("api/v1/types.go", strings.Replace(p.types, "+k8s:maximum=100", "+k8s:maximum=200", 1))
	w.gets("reload", func(r shown) bool { return r.Reload.State == "serving" && !r.Reload.Kept })
	if w.call("POST", "requests/"+id(kept.ID)+"/replay", map[string]string{"text": manifest}, &again); again.Code != 200 || len(again.Differences) > 0 {
		t.Errorf("with the new rule: %+v", again)
	}
	s.kubectl("", "create", "secret", "generic", "password", "--from-literal=password=hunter2")
	kubeconfig, err := os.ReadFile(s.kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	_, token, _ := strings.Cut(string(kubeconfig), "token: ")
	answer := w.send("GET", "state", nil)
	state, _ := io.ReadAll(answer.Body)
	if token = strings.TrimSpace(token); token == "" || bytes.Contains(state, []byte(token)) || bytes.Contains(state, []byte("aHVudGVyMg")) {
		t.Error("the page has secrets")
	}
	s.interrupt()
	if _, err := http.Get(w.address); err == nil {
		t.Error("the page is there after the end")
	}
}

// TestWithoutWorkbench connects clients to the API server itself.
func TestWithoutWorkbench(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	s := p.dev("./api/...", "--ui=false")
	if strings.Contains(s.output(), "http://") {
		t.Errorf("there is a page:\n%s", s.output())
	}
	s.kubectl(order("v1", "first", 3), "create", "-f", "-")
	s.interrupt()
}

// seen is what the tests read of objects.
type seen struct {
	Gone            bool
	ResourceVersion string
	Edit            string
	Versions        []struct {
		Name, Text string
		Stored     bool
		Lost       []string
		Tracked    []string
	}
	Defaults []struct {
		Path, Value, By string
		Declared        *struct{ Line int }
	}
	Managers []struct {
		Name   string
		Fields []string
	}
	History []struct {
		By, Text       string
		First, Deleted bool
	}
}

// TestObjects edits an object on the page, with a dry run, while kubectl changes it too.
func TestObjects(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.types = strings.TrimSuffix(p.types, "}\n") + `
	// color is the color.
	// +k8s:optional
	// +default="red"
	// +versioned:added(since: "v1")
	Color *string ` + "`json:\"color,omitempty\"`" + `
}
`
	p.write("api/v1/types.go", p.types)
	s := p.dev("./api/...")
	w := s.workbench()
	created := func(name string) func(shown) bool { return func(e shown) bool { return e.Name == name } }
	s.kubectl(`{"apiVersion":"shop.example.com/v1","kind":"Order","metadata":{"name":"first"},"spec":{"size":3}}`, "apply", "-f", "-")
	w.gets("object", created("first"))
	var table struct {
		Columns []struct{ Name string }
		Rows    []struct{ Namespace, Name string }
	}
	if w.call("GET", "table/shop.example.com/orders/v1beta1", nil, &table); len(table.Rows) != 1 || table.Rows[0].Name != "first" || table.Rows[0].Namespace != "default" || table.Columns[0].Name != "Name" {
		t.Errorf("%+v", table)
	}
	const path = "objects/shop.example.com/orders/default/first"
	var o seen
	w.call("GET", path, nil, &o)
	if o.Edit != "apiVersion: shop.example.com/v1\nkind: Order\nmetadata:\n  name: first\n  namespace: default\nspec:\n  color: red\n  size: 3\n" {
		t.Errorf("%s", o.Edit)
	}
	if v := o.Versions; len(v) != 2 || !v[0].Stored || len(v[1].Lost) > 0 || !strings.Contains(v[1].Text, "count: 3") {
		t.Errorf("%+v", v)
	}
	if d := o.Defaults; len(d) != 1 || d[0].Path != "spec.color" || d[0].By != "default" || d[0].Declared == nil || d[0].Declared.Line != p.line(`+default="red"`) {
		t.Errorf("%+v", d)
	}
	if m := o.Managers; len(m) != 1 || m[0].Name != "kubectl-client-side-apply" || !slices.Contains(m[0].Fields, "spec.size") {
		t.Errorf("%+v", m)
	}
	write := func(path, text, resourceVersion string, into any) {
		t.Helper()
		w.call("POST", path, map[string]string{"text": text, "resourceVersion": resourceVersion}, into)
	}
	var dry struct {
		Code            int
		Message, Stored string
		Differences     []string
		Verdict         struct{ Problems []problem }
	}
	write("dryrun", strings.Replace(o.Edit, "size: 3", "size: 101\n  sise: 3", 1), o.ResourceVersion, &dry)
	if dry.Code != 400 || len(dry.Verdict.Problems) != 2 || dry.Verdict.Problems[1].Path != "spec.sise" {
		t.Errorf("strict: %+v", dry)
	}
	write("dryrun", strings.Replace(o.Edit, "size: 3", "size: 101", 1), o.ResourceVersion, &dry)
	if f := dry.Verdict.Problems; dry.Code != 422 || len(dry.Differences) > 0 || len(f) != 1 || !f[0].Server || f[0].Rule != "+k8s:maximum=100" || f[0].Range.Line != 8 {
		t.Errorf("a rule: %+v", dry)
	}
	edited := strings.Replace(o.Edit, "size: 3", "size: 4", 1)
	if write("dryrun", edited, o.ResourceVersion, &dry); dry.Code != 200 || dry.Stored != edited || len(dry.Differences) > 0 {
		t.Errorf("valid: %+v", dry)
	}
	var saved shown
	if write("save", edited, o.ResourceVersion, &saved); saved.Code != 200 || saved.Verb != "update" {
		t.Errorf("%+v", saved)
	}
	if write("save", edited, o.ResourceVersion, &saved); saved.Code != 409 || !saved.Rejected {
		t.Errorf("a change that came first: %+v", saved)
	}
	write("save", strings.Replace(edited, "name: first", "name: second", 1), "", &saved)
	if w.gets("object", created("second")); saved.Code != 201 || saved.Name != "second" {
		t.Errorf("%+v", saved)
	}
	s.kubectl("", "delete", "order", "first")
	for deadline := time.Now().Add(time.Minute); !o.Gone && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		w.call("GET", path, nil, &o)
	}
	if h := o.History; len(h) != 3 || h[0].First || h[1].By != "kindsmith-workbench" || !strings.Contains(h[1].Text, "size: 4") || !h[2].Deleted {
		t.Errorf("%+v", h)
	}
	s.interrupt()
}

package dev

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
)

// TestDev edits a project while it is served, with mistakes; kills dev, and starts it again with its objects.
func TestDev(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	s := p.dev("./api/...", "--dir", ".dev")
	for _, step := range strings.Split("\n"+blocks(t, "console")[0], "\n$ ")[1:] {
		command, want, _ := strings.Cut(step, "\n")
		cmd := exec.Command("bash", "-c", command)
		cmd.Dir, cmd.Env = p.dir, p.env("KUBECONFIG="+p.dir+"/.dev/kubeconfig")
		out, _ := cmd.CombinedOutput() // the page shows one that fails
		if strings.TrimSpace(string(out)) != strings.TrimSpace(want) {
			t.Errorf("$ %s\n%s%s has\n%s", command, out, page, want)
		}
	}

	second := p.start("./api/...", "--dir", ".dev")
	var exit *exec.ExitError
	if err := <-second.done; !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("a second dev in the folder: %v", err)
	}
	second.done <- nil
	second.prints(`another kindsmith dev, process \d+, uses .*/.dev; stop it, or name another folder with --dir`)

	s.forget()
	p.write("api/v1/types.go", p.with("color"))
	s.prints(`api/v1/types.go: applied orders.shop.example.com, \d+ files written \(\d`)
	s.forget()
	p.write("api/v1/types.go", strings.Replace(p.with("color"), "// +k8s:maximum=100", "// +k8s:maxmum=100", 1))
	s.prints(`api/v1/types.go:\d+:\d+: error: unknown tag \+k8s:maxmum; did you mean \+k8s:maximum`)
	s.prints(`api/v1/types.go: mistakes, see above; the last good API is still served`)
	s.forget()
	p.write("api/v1/types.go", strings.Replace(p.types, "// Order is", "// +kubebuilder:resource:scope=Cluster\n// Order is", 1))
	s.prints(`error: CustomResourceDefinition orders.shop.example.com: .*spec.scope: Invalid value: "Cluster": field is immutable`)
	s.prints(`api/v1/types.go: the API server refuses definitions, see above; the last good API is still served`)
	s.forget()
	p.write("api/v1/types.go", "package v1\n\ntype")
	s.prints(`still served`)
	if got := s.kubectl("", "get", "orders.v1beta1.shop.example.com", "first", "-o", "jsonpath={.spec.count}"); got != "3" {
		t.Errorf("with a mistake in the source, v1beta1 has the count %q", got)
	}
	s.kubectl("", "patch", "order", "first", "--type=merge", "-p", `{"spec":{"color":"red"}}`)
	s.forget()
	p.write("api/v1/types.go", strings.Replace(p.with("color"), "// +k8s:maximum=100", "// +k8s:maximum=2", 1))
	s.prints(`warning: order default/first: the stored object is not valid any more: spec.size: Invalid value: 3`)
	s.prints(`applied orders.shop.example.com`)
	s.forget()
	p.write("api/v1/types.go", p.types)
	s.prints(`warning: order default/first: the definition has no spec.color any more; the API server drops the value`)
	s.prints(`applied orders.shop.example.com`)

	s.kill()
	again := p.dev("./api/...", "--dir", ".dev")
	if got := again.kubectl("", "get", "orders.v1beta1.shop.example.com", "first", "-o", "jsonpath={.spec.count}"); got != "3" {
		t.Errorf("after kill -9, v1beta1 has the count %q", got)
	}
	again.interrupt()
	none(t, filepath.Dir(p.dir))
}

// TestFunctions serves conversions and defaults that call Go functions, without a manager. If these do not compile, the
// functions of before go on.
func TestFunctions(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	source := strings.TrimSuffix(p.types, "}\n") + `
	// wrap is how the order is wrapped.
	// +k8s:optional
	// +versioned:changed(since: "v1", fromType: "string", upgradeWith: "ParseWrap", downgradeWith: "FormatWrap")
	Wrap *Wrap ` + "`json:\"wrap,omitempty\"`" + `
}

// Wrap is how an order is wrapped.
type Wrap struct {
	// paper is the paper.
	// +k8s:optional
	Paper string ` + "`json:\"paper,omitempty\"`" + `
}

// ParseWrap reads a wrap.
func ParseWrap(in string) *Wrap { return &Wrap{Paper: paper.Of(in)} }

// FormatWrap prints a wrap.
func FormatWrap(in *Wrap) string { return in.Paper }
`
	p.write("api/v1/types.go", strings.Replace(source, "import metav1", "import (\n\t\"example.com/shop/paper\"\n)\n\nimport metav1", 1))
	of := func(expression string) {
		p.write("paper/paper.go", "package paper\n\nfunc Of(in string) string { return "+expression+" }\n")
	}
	of("in")
	p.write("kindsmith.yaml", "conversionWebhook: shop-system/webhooks\ngenerate:\n  webhookDir: config/webhook\n")
	p.write("api/v1/defaults.go", `package v1

// +kubebuilder:webhook:path=/validate-own,mutating=false,failurePolicy=fail,sideEffects=None,groups=shop.example.com,resources=orders,verbs=create,versions=v1,name=vown.shop.example.com,admissionReviewVersions=v1

// SetDefaults_OrderSpec is a default that no schema has.
func SetDefaults_OrderSpec(in *OrderSpec) {
	if size := int32(42); in.Size == nil {
		in.Size = &size
	}
}
`)
	s := p.dev("./api/...")
	s.prints(`your own code serves the webhooks vown.shop.example.com, so they are missing here; run it with --run`)
	s.kubectl(`{"apiVersion":"shop.example.com/v1","kind":"Order","metadata":{"name":"default"},"spec":{}}`, "create", "-f", "-")
	if got := s.kubectl("", "get", "order", "default", "-o", "jsonpath={.spec.size}"); got != "42" {
		t.Errorf("the default is %q, want 42", got)
	}
	s.kubectl(strings.Replace(order("v1beta1", "first", 3), `"count"`, `"wrap":"red","count"`, 1), "create", "-f", "-")
	has := func(want string) {
		t.Helper()
		if got := s.kubectl("", "get", "orders.v1.shop.example.com", "first", "-o", "jsonpath={.spec.wrap.paper}"); got != want {
			t.Errorf("v1 has the paper %q, want %q", got, want)
		}
	}
	has("red")
	begin := time.Now()
	of(`"un" + unwrapped`)
	s.prints(`paper/paper.go:3:\d+: error: undefined: unwrapped`)
	s.prints(`paper/paper.go: mistakes, see above; the last good API is still served`)
	s.kubectl(strings.Replace(order("v1beta1", "second", 3), `"count"`, `"wrap":"blue","count"`, 1), "create", "-f", "-")
	has("red")
	s.forget()
	of(`in + " paper"`)
	s.prints(`paper/paper.go: no difference \(`)
	s.kubectl(strings.Replace(order("v1beta1", "first", 3), `"count"`, `"wrap":"green","count"`, 1), "replace", "-f", "-")
	has("green paper")
	t.Logf("two changes of a function took %s", time.Since(begin))
	s.interrupt()
	none(t, filepath.Dir(p.dir))
}

// manager is a program with a validating webhook that refuses a size.
const manager = `package main

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
)

func main() {
	dir := os.Getenv("WEBHOOK_CERT_DIR")
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key"))
	if err != nil {
		panic(err)
	}
	http.HandleFunc("/validate-order", func(w http.ResponseWriter, r *http.Request) {
		var review struct {
			APIVersion, Kind string
			Request          struct {
				UID    string
				Object struct{ Spec struct{ Size int } }
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			panic(err)
		}
		response := map[string]any{"uid": review.Request.UID, "allowed": review.Request.Object.Spec.Size != REFUSED}
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": review.APIVersion, "kind": review.Kind, "response": response})
	})
	fmt.Println("the kubeconfig is", os.Getenv("KUBECONFIG"))
	server := &http.Server{Addr: "127.0.0.1:" + os.Getenv("WEBHOOK_PORT"), TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}}}
	panic(server.ListenAndServeTLS("", ""))
}
`

// webhooks are where projects of kubebuilder have the configurations of webhooks.
const webhooks = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: validating-webhook-configuration
webhooks:
- name: vorder.shop.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {name: webhook-service, namespace: system, path: /validate-order}}
  rules: [{apiGroups: [shop.example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [orders]}]
`

// TestRun serves the admission webhooks of a program that --run starts, and starts again after changes that compile.
func TestRun(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	refuse := func(size string) { p.write("cmd/main.go", strings.Replace(manager, "REFUSED", size, 1)) }
	refuse("7")
	p.write("config/webhook/manifests.yaml", webhooks)
	s := p.dev("./api/...", "--run", "go run ./cmd")
	s.prints(`run \| the kubeconfig is ` + s.kubeconfig)
	refused := func(size int) {
		t.Helper()
		if out, err := s.try(order("v1", "refused", size), "create", "-f", "-"); err == nil || !strings.Contains(out, `admission webhook "vorder.shop.example.com" denied`) {
			t.Errorf("size %d: %v\n%s", size, err, out)
		}
	}
	refused(7)
	s.kubectl(order("v1", "eight", 8), "create", "-f", "-")
	requests, stop := s.keeps(order("v1", "six", 6))
	refuse("eight")
	s.prints(`the Go packages do not compile; the program of before runs still:`)
	s.prints(`cmd/main.go:\d+:\d+: undefined: eight`)
	refused(7)
	s.forget()
	refuse("8")
	s.prints(`cmd/main.go: restarted go run ./cmd \(`)
	refused(8)
	s.kubectl(order("v1", "seven", 7), "create", "-f", "-")
	s.forget()
	p.write("api/v1/types.go", p.with("color"))
	s.prints(`api/v1/types.go: applied orders.shop.example.com, \d+ files written, restarted go run ./cmd`)
	refused(8)
	close(stop)
	if n := <-requests; n < 10 {
		t.Errorf("only %d requests while the program was replaced", n)
	}
	s.interrupt()
	none(t, filepath.Dir(p.dir))
}

// keeps creates an object again and again, without storing it, until a channel is closed; none of these requests fails. It
// returns their number.
func (s *session) keeps(object string) (requests chan int, stop chan bool) {
	requests, stop = make(chan int), make(chan bool)
	go func() {
		n := 0
		defer func() { requests <- n }()
		for {
			select {
			case <-stop:
				return
			default:
			}
			if out, err := s.try(object, "create", "--dry-run=server", "-f", "-"); err != nil {
				s.Errorf("a request while the program is replaced: %v\n%s", err, out)
			}
			n++
		}
	}()
	return requests, stop
}

// TestOperator runs the manager of examples/operator, and drives it with kubectl.
func TestOperator(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.dir = filepath.Join(workspacetest.Root(), "examples", "operator")
	p.work = ""
	state := filepath.Join(t.TempDir(), "state")
	s := p.dev("--dir", state, "--run", "go run ./cmd --health-probe-bind-address=0")
	s.prints(`, started go run ./cmd`)
	s.kubectl("", "apply", "-f", filepath.Join(p.dir, "config", "samples"))
	s.kubectl("", "wait", "--for=condition=Ready", "--timeout=30s", "sites.site.example.com/tea")
	if got := s.kubectl("", "get", "configmap", "tea-pages", "-o", "jsonpath={.data}"); !strings.Contains(got, "Green, black") {
		t.Errorf("the pages are %s", got)
	}
	if got := s.kubectl("", "get", "sites.v1beta1.site.example.com", "tea", "-o", "jsonpath={.spec.domain}"); !strings.HasSuffix(got, "\ntea.example.com") { // after a warning
		t.Errorf("v1beta1 has the domain %q", got)
	}
	if out, err := s.try("", "patch", "page", "tea-index", "--type=merge", "-p", `{"spec":{"content":{"type":"Nothing"}}}`); err == nil {
		t.Errorf("a union without its member: %s", out)
	}
	s.interrupt()
	none(t, state)
}

// TestEdits saves 50 versions of a file, 5 of them with mistakes, while clients read and write in both versions: none of them
// fails.
func TestEdits(t *testing.T) {
	if !*soak {
		t.Skip("needs -soak")
	}
	p := newProject(t)
	s := p.dev("./api/...")
	kubeconfig := s.kubeconfig
	s.kubectl(order("v1beta1", "first", 3), "create", "-f", "-")
	stop, done, requests := make(chan bool), make(chan bool), 0
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			for _, args := range [][]string{
				{"get", "orders.v1beta1.shop.example.com", "first", "-o", "jsonpath={.spec.count}"},
				{"get", "orders.v1.shop.example.com", "first", "-o", "jsonpath={.spec.size}"},
				{"label", "orders.v1beta1.shop.example.com", "first", "--overwrite", "at=" + time.Now().Format("150405.000")},
			} {
				out, err := p.tryOn(kubeconfig, "", args...)
				if requests++; err != nil || args[0] == "get" && out != "3" {
					t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
				}
			}
		}
	}()
	var slowest time.Duration
	for i := range 50 {
		s.forget()
		begin := time.Now()
		if i%10 == 5 {
			p.write("api/v1/types.go", p.with("color")+"}")
			s.prints("still served")
			continue
		}
		p.write("api/v1/types.go", p.with([]string{"color", "shape", "weight"}[i%3]))
		s.prints(`types.go: applied orders.shop.example.com`)
		slowest = max(slowest, time.Since(begin))
	}
	close(stop)
	<-done
	s.interrupt()
	none(t, filepath.Dir(p.dir))
	t.Logf("%d requests; the slowest save took %s", requests, slowest)
}

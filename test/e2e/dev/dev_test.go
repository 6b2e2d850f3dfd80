package dev

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"
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
	s.prints(`api/v1/types.go: mistakes, see above; what was served before is served still`)
	s.forget()
	p.write("api/v1/types.go", "package v1\n\ntype")
	s.prints(`served still`)
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
	none(t, p.dir)
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
			s.prints("served still")
			continue
		}
		p.write("api/v1/types.go", p.with([]string{"color", "shape", "weight"}[i%3]))
		s.prints(`types.go: applied orders.shop.example.com`)
		slowest = max(slowest, time.Since(begin))
	}
	close(stop)
	<-done
	s.interrupt()
	none(t, kubeconfig[:strings.LastIndex(kubeconfig, "/")])
	t.Logf("%d requests; the slowest save took %s", requests, slowest)
}

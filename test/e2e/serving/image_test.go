package serving

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"k8s.io/client-go/util/cert"

	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/test/oracle/launch"
)

// containerTool builds and runs images.
type containerTool struct {
	// command is the program with its options, probe the arguments of a command that succeeds if it can be used.
	command, probe []string
	// config prints the user, the number of layers, and the entrypoint of an image.
	config []string
	// run returns the arguments that run an image with a folder at /data.
	run func(image, data string, entrypoint []string) []string
	// remove removes an image.
	remove []string
}

// containerTools returns the tools in the order in which they are tried. Docker is the tool of make image, and buildah needs
// neither a daemon nor cgroups.
func containerTools(t *testing.T) []containerTool {
	run := func(image, data string, _ []string) []string {
		return []string{"run", "--rm", "--network=host", "--volume=" + data + ":/data:ro", image}
	}
	const config = `{{.Config.User}} {{len .RootFS.Layers}}{{range .Config.Entrypoint}} {{.}}{{end}}`
	docker := containerTool{
		command: []string{"docker"}, probe: []string{"info"}, run: run,
		config: []string{"image", "inspect", "--format", config}, remove: []string{"rmi", "--force"},
	}
	podman := docker
	podman.command = []string{"podman"}
	root := t.TempDir()
	buildah := containerTool{
		command: []string{"buildah", "--root=" + root + "/root", "--runroot=" + root + "/run", "--storage-driver=vfs"}, probe: []string{"images"},
		config: []string{"inspect", "--type=image", "--format", `{{.OCIv1.Config.User}} {{len .OCIv1.RootFS.DiffIDs}}{{range .OCIv1.Config.Entrypoint}} {{.}}{{end}}`},
		remove: []string{"rmi", "--force"},
		run: func(container, data string, entrypoint []string) []string { // it does not run entrypoints
			return append([]string{"run", "--isolation=chroot", "--network=host", "--volume=" + data + ":/data:ro", container, "--"}, entrypoint...)
		},
	}
	return []containerTool{docker, buildah, podman}
}

func (c containerTool) name() string { return c.command[0] }

func (c containerTool) cmd(args ...string) *exec.Cmd {
	return exec.Command(c.command[0], append(c.command[1:len(c.command):len(c.command)], args...)...)
}

// TestImage builds the image of kindsmith-converter with the tool that this machine has, and runs it: the image has the program
// only, and a user without a name who is not root. The program answers probes and reviews, and ends when a kubelet stops it.
func TestImage(t *testing.T) {
	soaking(t)
	if runtime.GOOS != "linux" {
		t.Skip("the container uses the network of the host, which only Linux has")
	}
	t.Parallel()
	for _, tool := range containerTools(t) {
		if tool.cmd(tool.probe...).Run() == nil {
			runImage(t, tool)
			return
		}
	}
	t.Skip("there is no docker with a daemon, no buildah and no podman")
}

func runImage(t *testing.T, tool containerTool) {
	output := func(cmd *exec.Cmd) string {
		t.Helper()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	image := fmt.Sprintf("localhost/kindsmith-converter:test-%d", os.Getpid())
	build := exec.Command("make", "image", "IMAGE="+image, "CONTAINER_TOOL="+strings.Join(tool.command, " "))
	build.Dir, build.Env = workspacetest.Root(), append(os.Environ(), "BUILDAH_ISOLATION=chroot")
	output(build)
	t.Cleanup(func() { output(tool.cmd(append(tool.remove, image)...)) })

	config := strings.Fields(output(tool.cmd(append(tool.config, image)...)))
	if len(config) < 3 {
		t.Fatalf("the user, the number of layers and the entrypoint are %q", config)
	}
	user, _, _ := strings.Cut(config[0], ":")
	if id, err := strconv.Atoi(user); err != nil || id == 0 {
		t.Errorf("the user is %s: a kubelet checks runAsNonRoot by a number", config[0])
	}
	if config[1] != "1" {
		t.Errorf("the image has %s layers, and needs one, of the program", config[1])
	}

	data, addr := imageData(t), launch.FreeAddress(t)
	of := image
	if tool.name() == "buildah" {
		of = output(tool.cmd("from", image))
		t.Cleanup(func() { output(tool.cmd("rm", of)) })
	}
	// The balancer only probes.
	w := &world{t: t, balancer: newBalancer(t)}
	args := append(tool.run(of, data, config[2:]), "--plans=/data/plans", "--cert-dir=/data/certs", "--offline", "--drain=1s", "--address="+addr)
	r := w.run(tool.cmd(args...), addr).ready()
	if status, text := r.get("/healthz"); status != http.StatusOK {
		t.Errorf("/healthz: %d %s", status, text)
	}
	process := processOf(t, config[2], addr)
	if process.uid == 0 {
		t.Error("the program runs as root")
	}
	for version, field := range map[string]string{"v1": "y", "v1beta1": "x"} {
		other := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[version]
		from := map[string]string{"v1": "x", "v1beta1": "y"}[version]
		review := fmt.Sprintf(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"u","desiredAPIVersion":"%[1]s/%[2]s","objects":[
			{"apiVersion":"%[1]s/%[3]s","kind":"Shop","metadata":{"name":"a"},%[4]q:"text"}]}}`, group, version, other, from)
		answer, err := w.balancer.client.Post("https://"+addr+"/convert", "application/json", bytes.NewReader([]byte(review)))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if want := fmt.Sprintf(`%q:"text"`, field); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s has no %s: %v\n%s", version, want, err, text)
		}
	}
	if tool.name() == "buildah" { // it kills the program on SIGTERM
		if err := syscall.Kill(process.id, syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if err := <-r.ended; err != nil {
			t.Errorf("the program that was stopped: %v", err)
		}
		r.ended <- nil
	} else {
		r.terminate()
	}
}

// process is a process with its user.
type process struct{ id, uid int }

// processOf returns the process of a program with an argument.
func processOf(t *testing.T, program, argument string) process {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		line, err := os.ReadFile(name)
		if err != nil || !strings.HasPrefix(string(line), program+"\x00") || !strings.Contains(string(line), argument) {
			continue
		}
		status, err := os.ReadFile(filepath.Join(filepath.Dir(name), "status"))
		m := regexp.MustCompile(`(?m)^Pid:\s+(\d+)(?s:.*)^Uid:\s+\d+\s+(\d+)`).FindSubmatch(status)
		if err != nil || m == nil {
			continue // it has ended
		}
		id, _ := strconv.Atoi(string(m[1]))
		uid, _ := strconv.Atoi(string(m[2]))
		return process{id, uid}
	}
	t.Fatalf("there is no process %s", program)
	return process{}
}

// imageData returns a folder with a plan and a certificate that every user can read.
func imageData(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	certificate, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"plans/shop.json": []byte(shopPlan(`{"older":{"name":"x"},"newer":{"name":"y"}}`)), "certs/tls.crt": certificate, "certs/tls.key": key,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for parent := dir; parent != os.TempDir() && parent != "/"; parent = filepath.Dir(parent) {
		if err := os.Chmod(parent, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

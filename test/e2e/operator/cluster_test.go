package operator

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/test/oracle/launch"
)

const (
	example   = "../../../examples/operator"
	namespace = "site-system"
)

// patience is how long the tests wait for something: on a busy machine, one command of kubectl takes seconds.
const patience = 3 * time.Minute

// cluster is an API server and the operator, which runs as a process: there are no nodes.
type cluster struct {
	*launch.Server
	t       *testing.T
	kubectl string
	binary  string
	// address is where the manager serves webhooks.
	address string
	manager *exec.Cmd
	log     *bytes.Buffer
	// ended is closed when the manager has ended.
	ended chan struct{}
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	// Clusters that enforce permissions for owner references refuse what others do not.
	s := launch.Start(t, "--enable-admission-plugins=OwnerReferencesPermissionEnforcement")
	c := &cluster{t: t, Server: s, kubectl: launch.Kubectl(t), binary: filepath.Join(t.TempDir(), "manager"), address: launch.FreeAddress(t)}
	build := exec.Command("go", "build", "-o", c.binary, "./cmd")
	build.Dir = example
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Cleanup(c.stop)
	return c
}

// try runs kubectl.
func (c *cluster) try(stdin string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.kubectl, args...)
	cmd.Env, cmd.Dir, cmd.Stdin = append(os.Environ(), c.Env()...), example, strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// quiet is try without warnings.
func (c *cluster) quiet(args ...string) ([]byte, error) {
	cmd := exec.Command(c.kubectl, args...)
	cmd.Env = append(os.Environ(), c.Env()...)
	return cmd.Output()
}

// must runs kubectl, which succeeds.
func (c *cluster) must(args ...string) string {
	c.t.Helper()
	out, err := c.try("", args...)
	if err != nil {
		c.t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// get returns an object.
func (c *cluster) get(args ...string) map[string]any {
	c.t.Helper()
	out, err := c.quiet(append([]string{"get", "-o", "json"}, args...)...)
	var o map[string]any
	if err == nil {
		err = json.Unmarshal(out, &o)
	}
	if err != nil {
		c.t.Fatalf("kubectl get %s: %v", strings.Join(args, " "), err)
	}
	return o
}

func at(value any, path ...string) any {
	for _, name := range path {
		o, _ := value.(map[string]any)
		value = o[name]
	}
	return value
}

// eventually waits until something is true.
func (c *cluster) eventually(what string, is func() bool) {
	c.t.Helper()
	for deadline := time.Now().Add(patience); !is(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			log := ""
			if c.log != nil {
				log = c.log.String()
			}
			c.t.Fatalf("%s: not after %s. The manager's log:\n%s", what, patience, log)
		}
	}
}

var (
	service = regexp.MustCompile(`service:\n( *)name: site-webhooks\n *namespace: site-system\n *path: (\S+)(\n *port: 443)?\n`)
	ofPath  = regexp.MustCompile(`(?m)^( *)service:\n`)
)

// manifests returns what kubectl apply -k config/default would apply. The API server cannot reach Services without nodes, so
// webhooks are at the address of the manager.
func (c *cluster) manifests() string {
	text := c.must("kustomize", "config/default")
	n := len(ofPath.FindAllString(text, -1))
	text = service.ReplaceAllString(text, "url: https://"+c.address+"$2\n")
	if rest := len(ofPath.FindAllString(text, -1)); n == 0 || rest > 0 {
		c.t.Fatalf("%d of %d references to the Service are left:\n%s", rest, n, text)
	}
	return text
}

// install applies the manifests, also those of kinds that another one of them defines.
func (c *cluster) install() {
	c.t.Helper()
	text := c.manifests()
	c.eventually("the manifests", func() bool {
		out, err := c.try(text, "apply", "-f", "-")
		if err != nil {
			c.t.Log(out)
		}
		return err == nil
	})
}

// command returns a manager with the arguments and the permissions of the Deployment.
func (c *cluster) command(address, probes string) *exec.Cmd {
	c.t.Helper()
	deployment := c.get("deployment", "site", "-n", namespace)
	container := at(deployment, "spec", "template", "spec", "containers").([]any)[0]
	args := []string{"--webhook-bind-address=" + address, "--webhook-host=127.0.0.1", "--health-probe-bind-address=" + probes}
	for _, arg := range at(container, "args").([]any) {
		args = append(args, fmt.Sprint(arg))
	}
	account := "system:serviceaccount:" + namespace + ":" + fmt.Sprint(at(deployment, "spec", "template", "spec", "serviceAccountName"))
	config := filepath.Join(c.t.TempDir(), "kubeconfig")
	text, err := os.ReadFile(c.Kubeconfig)
	if err != nil {
		c.t.Fatal(err)
	}
	var kubeconfig map[string]any
	if err := json.Unmarshal(text, &kubeconfig); err != nil {
		c.t.Fatal(err)
	}
	user := kubeconfig["users"].([]any)[0].(map[string]any)["user"].(map[string]any)
	user["as"], user["as-groups"] = account, []string{"system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"}
	if text, err = json.Marshal(kubeconfig); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(config, text, 0o600); err != nil {
		c.t.Fatal(err)
	}
	manager := exec.Command(c.binary, append(args, "--kubeconfig="+config)...)
	manager.Env = append(os.Environ(), "POD_NAMESPACE="+namespace)
	return manager
}

// start starts the manager.
func (c *cluster) start() {
	c.t.Helper()
	c.log, c.ended = &bytes.Buffer{}, make(chan struct{})
	c.manager = c.command(c.address, "0")
	c.manager.Stderr = c.log
	if err := c.manager.Start(); err != nil {
		c.t.Fatal(err)
	}
	go func(cmd *exec.Cmd, ended chan struct{}) {
		_ = cmd.Wait()
		close(ended)
	}(c.manager, c.ended)
	c.eventually("the manager answers", func() bool {
		select {
		case <-c.ended:
			c.t.Fatalf("the manager has ended:\n%s", c.log)
		default:
		}
		_, err := c.try("", "get", "sites.v1beta1.site.example.com", "-A")
		if err != nil {
			return false
		}
		out, err := c.try(`{"apiVersion":"site.example.com/v1beta1","kind":"Site","metadata":{"name":"probe","namespace":"default"},"spec":{"domain":"probe.example.com"}}`,
			"apply", "--dry-run=server", "-f", "-")
		return err == nil && strings.Contains(out, "created")
	})
}

// stop kills the manager.
func (c *cluster) stop() {
	if c.manager == nil {
		return
	}
	_ = c.manager.Process.Signal(syscall.SIGKILL)
	<-c.ended
	c.manager = nil
}

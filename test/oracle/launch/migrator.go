package launch

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BuildStorageMigrator is like Build, for the program behind RunStorageMigrator.
func BuildStorageMigrator() (string, error) {
	return buildCached("storagemigrator", "./internal/storagemigrator", "")
}

// RunStorageMigrator runs Kubernetes' controllers of StorageVersionMigrations until the test is done. The server needs the
// feature gate StorageVersionMigrator, and --runtime-config for storagemigration.k8s.io.
func RunStorageMigrator(t testing.TB, s *Server) {
	t.Helper()
	binary, err := BuildStorageMigrator()
	if err != nil {
		t.Fatalf("build the storage migrator: %v", err)
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "storagemigrator.log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "-kubeconfig", s.Kubeconfig)
	cmd.Stdout, cmd.Stderr = log, log
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the storage migrator: %v", err)
		}
		log.Close()
		if text, err := os.ReadFile(log.Name()); t.Failed() {
			t.Logf("end of the storage migrator's log: %v\n%s", err, tail(string(text), logLines))
		}
	})
}

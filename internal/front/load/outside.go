package load

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// checkModule returns an error if a folder is in no Go module and no workspace.
func checkModule(dir string) error {
	cmd := exec.Command("go", "env", "GOMOD", "GOWORK")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	mod, work, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if mod != "" && mod != os.DevNull || work != "" && work != "off" {
		return nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return errors.New("no go.mod here")
	}
	return fmt.Errorf("no go.mod in %s or its parent folders; kindsmith reads packages of Go modules", abs)
}

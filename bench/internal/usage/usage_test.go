package usage

import (
	"strings"
	"testing"
	"time"
)

func TestRun(t *testing.T) {
	u, err := Run(Command{Args: []string{"go", "version"}})
	if err != nil {
		t.Fatal(err)
	}
	if u.Wall <= 0 || u.CPU <= 0 || u.Peak < 1<<20 {
		t.Errorf("running go took %+v", u)
	}
}

func TestRunFails(t *testing.T) {
	_, err := Run(Command{Args: []string{"go", "no-such-command"}})
	if err == nil || !strings.Contains(err.Error(), "no-such-command") || !strings.Contains(err.Error(), "unknown command") {
		t.Errorf("the error does not say what went wrong: %v", err)
	}
}

func TestMedianOfEach(t *testing.T) {
	got := Median([]Usage{{Wall: 3, CPU: 10, Peak: 7}, {Wall: 1, CPU: 30, Peak: 9}, {Wall: 2 * time.Second, CPU: 20, Peak: 8}})
	if want := (Usage{Wall: 3, CPU: 20, Peak: 8}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

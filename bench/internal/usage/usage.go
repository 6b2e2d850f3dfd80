// Package usage runs commands and measures their resource usage.
package usage

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Usage is the resource usage of a command, including its child processes.
type Usage struct {
	// Wall is the elapsed time; CPU is the time of all threads.
	Wall, CPU time.Duration
	// Peak is the memory of the largest process, in bytes.
	Peak int64
}

// Command is a command line in a folder.
type Command struct {
	Dir  string
	Args []string
	// Env is added to the environment.
	Env []string
}

// Run runs a command. Errors contain the output of a failed command.
func Run(c Command) (Usage, error) {
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), c.Env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return Usage{}, fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, out.Bytes())
	}
	u := Usage{Wall: wall, CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if ru, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.Peak = int64(ru.Maxrss) * maxrssUnit //nolint:unconvert // it is an int32 on some machines
	}
	return u, nil
}

// Median returns the median of each number.
func Median(all []Usage) Usage {
	return Usage{
		Wall: median(all, func(u Usage) time.Duration { return u.Wall }),
		CPU:  median(all, func(u Usage) time.Duration { return u.CPU }),
		Peak: median(all, func(u Usage) int64 { return u.Peak }),
	}
}

func median[T cmp.Ordered](all []Usage, of func(Usage) T) T {
	values := make([]T, len(all))
	for i, u := range all {
		values[i] = of(u)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

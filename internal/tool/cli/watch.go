package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/watch"
)

// generateAgain runs, and runs again whenever an input of the last run changes, until the user
// interrupts it. It prints mistakes in the source and failures of later runs like those of a single
// run, and continues.
func generateAgain(ctx context.Context, streams Streams, f generateFlags) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends a long run
	watcher, err := watch.New()
	if err != nil {
		return err
	}
	defer watcher.Close()
	var workspace driver.Workspace
	for first := true; ; first = false {
		record, err := generateOnce(streams, f, &workspace)
		if err != nil && !errors.Is(err, errDiagnostics) {
			if first {
				return err
			}
			if _, err := fmt.Fprintf(streams.Err, "kindsmith: %v\n", err); err != nil {
				return err
			}
		}
		if err := watcher.Wait(ctx, record); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
	}
}

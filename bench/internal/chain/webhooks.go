package chain

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	crwebhook "sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	"github.com/kindsmith/kindsmith/bench/internal/measure"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert/webhook"
)

// The targets for reviews as API servers send them: an object that somebody writes, and a list.
const (
	atOnce       = 8
	singleTarget = 7
	listTarget   = 15
)

// runWebhooks compares the handlers as a whole, on a function per step that comes back, at 3 versions.
func runWebhooks(out io.Writer, effort measure.Effort, short bool, missed *int) error {
	shape, versionCount := Shapes[1], 3
	converter, err := jsonconvert.New(versions(shape.Name, versionCount))
	if err != nil {
		return err
	}
	of := func(objects, size int) (*Case, error) {
		c := &Case{Shape: shape, Versions: versionCount, Up: true, Size: size, ours: webhook.Handler(converter)}
		c.theirs = crwebhook.NewWebhookHandler(scheme(versionCount), crwebhook.NewRegistry())
		return c, c.makeReview(converter, objects)
	}
	lists, large := 100, 5<<20
	if short {
		lists, large = 2, 50<<10
	}
	single, err := of(1, 2<<10)
	if err != nil {
		return err
	}
	list, err := of(lists, 50<<10)
	if err != nil {
		return err
	}
	fmt.Fprintln(out)
	isOK, err := compare(out, effort, fmt.Sprintf("one object of 2 KB, %d reviews at once", atOnce), atOnce, singleTarget, together(single.theirs, single.review), together(single.ours, single.review))
	if err != nil {
		return err
	}
	if !isOK {
		*missed++
	}
	if isOK, err = compare(out, effort, fmt.Sprintf("%d objects of 50 KB in a review      ", lists), lists, listTarget, serve(list.theirs, list.review), serve(list.ours, list.review)); err != nil {
		return err
	}
	if !isOK {
		*missed++
	}
	big, err := of(lists, large)
	if err != nil {
		return err
	}
	return compareMemory(out, big)
}

// compareMemory prints the memory that the handlers take for a review.
func compareMemory(out io.Writer, c *Case) error {
	theirs, ours := peak(serve(c.theirs, c.review)), peak(serve(c.ours, c.review))
	_, err := fmt.Fprintf(out, "a review of %d MB | theirs %6.0f MB | ours %6.0f MB | %5.1f× less memory at the peak\n", len(c.review)>>20, float64(theirs)/1e6, float64(ours)/1e6, float64(theirs)/float64(ours))
	return err
}

// together returns a function that serves a review several times at once.
func together(h http.Handler, review []byte) func() {
	var all []func()
	for range atOnce {
		all = append(all, serve(h, review))
	}
	return func() {
		var wait sync.WaitGroup
		for _, f := range all {
			wait.Go(f)
		}
		wait.Wait()
	}
}

// peak returns the most memory that live and dead objects take while a function runs, beyond that before.
func peak(f func()) uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	read := func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	debug.FreeOSMemory()
	before := read()
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		var max uint64
		for {
			if n := read(); n > max {
				max = n
			}
			select {
			case <-stop:
				most <- max
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	f()
	close(stop)
	at := <-most
	runtime.GC()
	if at <= before {
		return 1
	}
	return at - before
}

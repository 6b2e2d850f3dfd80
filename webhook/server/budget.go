package server

import (
	"context"
	"errors"
	"math"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

const (
	// memoryPerByte is how much memory a review takes at most, by the size of its body: the body, the
	// answer and what it takes to convert an object.
	memoryPerByte = 2.2
	// budgetShare is the share of GOMEMLIMIT for reviews. The garbage collector takes about as much.
	budgetShare = 0.4
	// defaultBudget is the budget without GOMEMLIMIT.
	defaultBudget = 256 << 20
	// smallShare is the share of the budget, on top of it, for reviews whose bodies are read already: small ones, which do not
	// wait behind lists.
	smallShare = 0.1
	// queueTime is how long a review waits for memory. API servers repeat it afterwards.
	queueTime = 5 * time.Second
)

// errOverload means that a review found no memory in time.
var errOverload = errors.New("the webhook has no memory for this review at the moment")

// budget is the memory for reviews, in bytes. Reviews wait for it in the order in which they come, so a
// large one is not overtaken forever.
type budget struct {
	free *semaphore.Weighted
	size int64
	// small is for small reviews; nil if the budget is so small that their share has no room for one.
	small *semaphore.Weighted
	// queue is how long a review waits.
	queue         time.Duration
	waiting, used atomic.Int64
}

// newBudget returns a budget of a size; 0 is the default.
func newBudget(size int64) *budget {
	if size <= 0 {
		size = defaultBudget
		if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
			size = max(int64(budgetShare*float64(limit)), 1)
		}
	}
	b := &budget{free: semaphore.NewWeighted(size), size: size, queue: queueTime}
	if share := int64(smallShare * float64(size)); share >= memoryOf(freeBytes) {
		b.small = semaphore.NewWeighted(share)
	}
	return b
}

// memoryOf returns the memory for a body.
func memoryOf(body int64) int64 { return int64(memoryPerByte*float64(body)) + 1 }

// take takes the memory for a review with a body of a size; if it is unknown, -1, all memory. A review that
// is larger than the budget runs alone. give must be called afterwards.
func (b *budget) take(ctx context.Context, body int64) (give func(), err error) {
	need, free := b.size, b.free
	if body >= 0 {
		need = min(memoryOf(body), b.size)
	}
	if body >= 0 && body <= freeBytes && b.small != nil {
		free = b.small
	}
	if !free.TryAcquire(need) {
		ctx, cancel := context.WithTimeout(ctx, b.queue)
		defer cancel()
		b.waiting.Add(1)
		defer b.waiting.Add(-1)
		if free.Acquire(ctx, need) != nil {
			return nil, errOverload
		}
	}
	b.used.Add(need)
	return func() {
		b.used.Add(-need)
		free.Release(need)
	}, nil
}

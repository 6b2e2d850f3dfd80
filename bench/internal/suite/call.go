package suite

import (
	"context"

	"github.com/kindsmith/kindsmith/bench/internal/differ"
	"github.com/kindsmith/kindsmith/bench/internal/pair"
)

// call returns a validator's call on a request.
func call(v pair.Validator, in differ.Input) func() {
	ctx, op := context.Background(), in.Operation()
	return func() { v(ctx, op, in.Object, in.Old) }
}

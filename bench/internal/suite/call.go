package suite

import (
	"context"

	"github.com/kindsmith/kindsmith/bench/internal/differ"
	"github.com/kindsmith/kindsmith/bench/internal/pair"
)

// call returns a function that calls a validator with a request.
func call(v pair.Validator, in differ.Input) func() {
	ctx, op := context.Background(), in.Operation()
	return func() { v(ctx, op, in.Object, in.Old) }
}

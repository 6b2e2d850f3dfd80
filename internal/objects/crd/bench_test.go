package crd_test

import (
	"context"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/objects/crd"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		objects(b, example+"/crd/bases")
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		in := objects(b, example+"/crd/bases")
		b.StartTimer()
		crd.Load(in, &diag.Bag{})
	}
}

func BenchmarkPrepare(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		bag := &diag.Bag{}
		e := crd.Load(objects(b, example+"/crd/bases"), bag)
		b.StartTimer()
		e.Prepare(e.Kinds(), bag)
	}
}

func BenchmarkValidate(b *testing.B) {
	e := load(b, example+"/crd/bases")
	o := objects(b, example+"/samples/v1_database_orders.yaml")[0]
	for b.Loop() {
		e.Validate(context.Background(), verdict.Request{Kind: o.Kind, Object: o.Value})
	}
}

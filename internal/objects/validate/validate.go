package validate

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

// Options are the options of a run.
type Options struct {
	// Strict reports unknown fields and duplicate keys. A server drops unknown fields and uses the
	// last of duplicate keys.
	Strict bool
	// SkipUnknown skips objects whose kind is not defined instead of reporting them.
	SkipUnknown bool
	// Options are the options of verdict.Request.
	Options map[string]bool
}

// Run validates the objects of an input and reports their validation errors. old has the objects
// before an update; it is nil if all objects are creates.
func Run(ctx context.Context, engine verdict.Engine, now, old *Input, opts Options, bag *diag.Bag) *Summary {
	r := &run{
		engine: engine, opts: opts, bag: bag,
		summary: &Summary{Documents: len(now.Documents), Objects: len(now.Objects), Update: old != nil},
		skipped: map[string]*Skip{},
	}
	engine.Prepare(now.Kinds(), bag)
	if opts.Strict {
		for _, doc := range now.Documents {
			doc.Root.Duplicates(r.duplicate)
		}
	}
	before := r.pair(old)
	for _, o := range now.Objects {
		r.object(ctx, o, before[identity(o)])
		delete(before, identity(o))
	}
	for _, o := range before {
		r.summary.Unmatched = append(r.summary.Unmatched, o.String())
	}
	slices.Sort(r.summary.Unmatched)
	return r.summary
}

type run struct {
	engine  verdict.Engine
	opts    Options
	bag     *diag.Bag
	summary *Summary
	skipped map[string]*Skip // by reason
}

// key identifies an object across its versions.
type key struct {
	kind            schema.GroupKind
	namespace, name string
}

// identity returns the key that pairs an object with its old object. Manifests often omit the
// namespace that objects from a server have.
func identity(o *manifest.Object) key {
	namespace := o.Namespace
	if namespace == "" {
		namespace = "default"
	}
	return key{kind: o.Kind.GroupKind(), namespace: namespace, name: o.Name}
}

// pair returns the old objects by their keys.
func (r *run) pair(old *Input) map[key]*manifest.Object {
	before := map[key]*manifest.Object{}
	if old == nil {
		return before
	}
	for _, o := range old.Objects {
		if first, ok := before[identity(o)]; ok {
			r.bag.Errorf(o.Root.Locate("metadata.name").Span, codeOldTwice, "--old has %s more than once", o).
				Note(first.Root.Locate("metadata.name").Span, "this one is used")
			continue
		}
		before[identity(o)] = o
	}
	return before
}

func (r *run) duplicate(d manifest.Duplicate) {
	r.bag.Errorf(d.Key, codeDuplicateKey, "%s is repeated; only the last value is used; remove one", d.Path).
		Note(d.First, "first used here")
}

// object validates one object if the engine has its kind.
func (r *run) object(ctx context.Context, o, old *manifest.Object) {
	if !slices.Contains(r.engine.Kinds(), o.Kind) {
		switch {
		case isBuiltIn(o.Kind.Group) && r.engine.Missing(o.Kind) == "":
			r.skip("of built-in kinds", o)
		case r.opts.SkipUnknown:
			r.skip("of unknown kinds", o)
		default:
			r.summary.Invalid++
			r.bag.Errorf(o.Root.Locate("kind").Span, codeUnknownKind, "%s", unknownKind(r.engine, o.Kind))
		}
		return
	}
	request := verdict.Request{Kind: o.Kind, Object: o.Value, Options: r.opts.Options}
	if old != nil {
		request.Old = old.Value
	}
	result := r.engine.Validate(ctx, request)
	switch {
	case result.OldIgnored != "":
		r.bag.Warnf(old.Root.Locate("apiVersion").Span, codeOldIgnored, "%s is validated as a create; the old object is not used: %s", o, result.OldIgnored)
		r.summary.Creates = append(r.summary.Creates, o.String())
	case old != nil:
		r.summary.Updates++
	default:
		r.summary.Creates = append(r.summary.Creates, o.String())
	}
	invalid := len(result.Errors) > 0
	for i, err := range result.Errors {
		d := r.report(o, err)
		if i == 0 && result.Blocked {
			d.Notes = append(d.Notes, diag.Note{Message: "some rules did not run because of other errors"})
		}
	}
	if r.opts.Strict {
		for _, path := range result.Unknown {
			invalid = true
			d := r.bag.Errorf(o.Root.LocateKey(path), codeUnknownField, "%s: unknown field %s%s", o, path, result.DidYouMean(path))
			d.Properties = objectProperties(o, path)
		}
	}
	if invalid {
		r.summary.Invalid++
	}
	r.assumed(o, result.Assumed)
	for _, rule := range result.NotRun {
		if !slices.Contains(r.summary.NotRun, rule) {
			r.summary.NotRun = append(r.summary.NotRun, rule)
		}
	}
}

// assumed notes the options that rules of a kind depend on, and that the run does not have.
func (r *run) assumed(o *manifest.Object, options []string) {
	if len(options) == 0 {
		return
	}
	kind := verdict.KindText(o.Kind)
	i := slices.IndexFunc(r.summary.Assumed, func(a Assumed) bool { return a.Kind == kind })
	if i < 0 {
		i = len(r.summary.Assumed)
		r.summary.Assumed = append(r.summary.Assumed, Assumed{Kind: kind})
	}
	a := &r.summary.Assumed[i]
	a.Options = slices.Compact(slices.Sorted(slices.Values(slices.Concat(a.Options, options))))
}

func (r *run) skip(reason string, o *manifest.Object) {
	s := r.skipped[reason]
	if s == nil {
		r.summary.Skipped = append(r.summary.Skipped, &Skip{Reason: reason})
		s = r.summary.Skipped[len(r.summary.Skipped)-1]
		r.skipped[reason] = s
	}
	s.Objects++
	if kind := verdict.KindText(o.Kind); !slices.Contains(s.Kinds, kind) {
		s.Kinds = append(s.Kinds, kind)
	}
}

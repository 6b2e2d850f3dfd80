package rollouttest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/rollout"
)

// widget has a field of every sort.
type widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`
	Spec              widgetSpec `json:"spec"`
}

type widgetSpec struct {
	Name   string             `json:"name"`
	Size   *int32             `json:"size,omitempty"`
	Fast   bool               `json:"fast,omitempty"`
	Color  string             `json:"color,omitempty"`
	Labels map[string]string  `json:"labels,omitempty"`
	Parts  []part             `json:"parts,omitempty"`
	Spare  []*part            `json:"spare,omitempty"`
	Memory *resource.Quantity `json:"memory,omitempty"`
}

type part struct {
	Name  string `json:"name"`
	Count int64  `json:"count,omitempty"`
	Inner *part  `json:"inner,omitempty"`
}

// rules are the parameters of a widget's validation, so that two sides can differ in one
// rule.
type rules struct {
	byBytes          bool
	maxName, maxSize int
	colors           []string
	keyLength        int
	maxParts         int
	unique           bool
	innerNames       bool
	immutableName    bool
	ratchets         bool
	sizeText         string
	panicsOnSpare    bool
	nameOrigin       string
	memory           bool
	declarative      bool
}

func standard() rules {
	return rules{maxName: 32, maxSize: 15, colors: []string{"Red", "Green"}, keyLength: 10, maxParts: 20, unique: true,
		innerNames: true, immutableName: true, ratchets: true, sizeText: "must be at most %d", nameOrigin: "maxLength", memory: true}
}

func (r rules) validate(_ context.Context, op operation.Operation, obj, old *widget) (errs field.ErrorList) {
	spec := field.NewPath("spec")
	s := &obj.Spec
	was := &widgetSpec{}
	if op.Type == operation.Update {
		was = &old.Spec
	}
	skips := func(same bool) bool { return r.ratchets && op.Type == operation.Update && same }
	length := utf8.RuneCountInString(s.Name)
	if r.byBytes {
		length = len(s.Name)
	}
	if length > r.maxName && !skips(s.Name == was.Name) {
		errs = append(errs, field.TooLongMaxLength(spec.Child("name"), s.Name, r.maxName).WithOrigin(r.nameOrigin))
	}
	if r.immutableName && op.Type == operation.Update && s.Name != was.Name {
		errs = append(errs, field.Invalid(spec.Child("name"), s.Name, "is immutable").WithOrigin("immutable"))
	}
	if s.Size != nil && int(*s.Size) > r.maxSize && !skips(was.Size != nil && *was.Size == *s.Size) {
		errs = append(errs, field.Invalid(spec.Child("size"), *s.Size, fmt.Sprintf(r.sizeText, r.maxSize)).WithOrigin("maximum"))
	}
	if s.Color != "" && !slices.Contains(r.colors, s.Color) && !skips(s.Color == was.Color) {
		errs = append(errs, field.NotSupported(spec.Child("color"), s.Color, r.colors))
	}
	for _, key := range sortedKeys(anyMap(s.Labels)) {
		if _, had := was.Labels[key]; len(key) > r.keyLength && !skips(had) {
			errs = append(errs, field.TooLongMaxLength(spec.Child("labels"), key, r.keyLength).WithOrigin("maxLength"))
		}
	}
	if len(s.Parts) > r.maxParts && !skips(len(s.Parts) == len(was.Parts)) {
		errs = append(errs, field.TooMany(spec.Child("parts"), len(s.Parts), r.maxParts).WithOrigin("maxItems"))
	}
	seen := map[string]bool{}
	for i := range s.Parts {
		if r.unique && op.Type == operation.Create && seen[s.Parts[i].Name] {
			errs = append(errs, field.Duplicate(spec.Child("parts").Index(i), s.Parts[i].Name))
		}
		seen[s.Parts[i].Name] = true
		if inner := s.Parts[i].Inner; r.innerNames && inner != nil && inner.Name == "" && op.Type == operation.Create {
			errs = append(errs, field.Required(spec.Child("parts").Index(i).Child("inner", "name"), ""))
		}
	}
	for i, spare := range s.Spare {
		if spare == nil && !r.panicsOnSpare {
			continue
		}
		if spare.Count < 0 && op.Type == operation.Create {
			errs = append(errs, field.Invalid(spec.Child("spare").Index(i).Child("count"), spare.Count, "is negative").WithOrigin("minimum"))
		}
	}
	if r.memory && s.Memory != nil && s.Memory.Sign() < 0 && op.Type == operation.Create {
		errs = append(errs, field.Invalid(spec.Child("memory"), s.Memory.String(), "is negative").WithOrigin("minimum"))
	}
	if !r.declarative {
		errs.MarkCoveredByDeclarative()
	}
	return errs
}

func anyMap(m map[string]string) map[string]any {
	out := map[string]any{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

func pairOf(handWritten, declarative rules) rollout.Pair[*widget] {
	declarative.declarative = true
	return rollout.Pair[*widget]{
		HandWritten: handWritten.validate,
		Declarative: func(ctx context.Context, op operation.Operation, _ *field.Path, obj, old *widget) field.ErrorList {
			return declarative.validate(ctx, op, obj, old)
		},
	}
}

// equivalence compares the standard rules with slightly different ones.
func equivalence(differ func(*rules)) Equivalence[*widget] {
	other := standard()
	if differ != nil {
		differ(&other)
	}
	size := int32(3)
	return Equivalence[*widget]{
		Pair:   pairOf(standard(), other),
		Config: rollout.Config{Migrating: true},
		Tries:  2500,
		Corpus: []*widget{
			{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Spec: widgetSpec{Name: "first", Size: &size, Color: "Red",
				Labels: map[string]string{"tier": "web"}, Parts: []part{{Name: "wheel", Count: 4}}}},
			{Spec: widgetSpec{Name: "second"}},
		},
	}
}

// recorder is a testing.TB that records failures.
type recorder struct {
	testing.TB
	errors []string
	fatal  bool
	logs   []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// Fatalf returns, as that of a testing.TB does not.
func (r *recorder) Fatalf(format string, args ...any) { r.Errorf(format, args...); r.fatal = true }

func (r *recorder) Logf(format string, args ...any) {
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}

func (r *recorder) String() string { return strings.Join(r.errors, "\n") }

// Package typed reads expressions from CEL, checks them against the types of an object, and
// evaluates them on JSON values.
//
// [Parse] reads an expression without types. [NewEnv] has the types of self and oldSelf, and its methods return a [Checked]
// expression. Mistakes are [Problem] values, at their offset.
//
// Parser, checker and interpreter are cel-go's, like in API servers. This package implements what
// API servers add to cel-go, functions and values with schemas, so that it does not link the API
// server.
//
// A test compares the declared functions (library.go) with the server's. The rules of the server's own tests,
// cel-go's tests and the conformance tests of the CEL specification run here and through package golang.
package typed

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
	"github.com/google/cel-go/interpreter"

	"github.com/kindsmith/kindsmith/internal/core/expr"
)

// baseEnv has the options and libraries that API servers compile rules with,
// apart from those for authorisation.
var baseEnv = sync.OnceValue(func() *cel.Env {
	env, err := cel.NewEnv(append([]cel.EnvOption{
		cel.HomogeneousAggregateLiterals(),
		cel.DefaultUTCTimeZone(true),
		cel.CrossTypeNumericComparisons(true),
		cel.OptionalTypes(),
		cel.ASTValidators(
			cel.ValidateDurationLiterals(),
			cel.ValidateTimestampLiterals(),
			cel.ValidateRegexLiterals(),
			cel.ValidateHomogeneousAggregateLiterals(),
		),
		cel.EnableMacroCallTracking(),
		ext.Strings(ext.StringsVersion(2)),
		ext.Sets(),
		ext.TwoVarComprehensions(),
		ext.Lists(ext.ListsVersion(3)),
	}, libraryOptions()...)...)
	if err != nil {
		panic(err) // the options are constants
	}
	return env
})

// Env is the environment of the rules of one type.
type Env struct {
	env  *cel.Env
	self *expr.Type
	// optionalOld is set when oldSelf is an optional value.
	optionalOld bool
	types       expr.Types
	// unknown are the fields that rules cannot refer to, with the reasons.
	unknown map[string]string
	// missing are the fields that do not exist, with the names of the objects that lack them.
	missing map[string]string
}

// NewEnv returns the environment of rules on values of a type. With optionalOld,
// oldSelf is an optional value, as with optionalOldSelf of a rule.
func NewEnv(objects expr.Types, self *expr.Type, optionalOld bool) (*Env, error) {
	e := &Env{self: self, optionalOld: optionalOld, types: objects, unknown: map[string]string{}, missing: map[string]string{}}
	selfType := e.celType(self)
	if selfType == nil {
		if why := reason(self); why != "" {
			return nil, errors.New(why)
		}
		return nil, fmt.Errorf("rules cannot be about values of type %s", self)
	}
	oldType := selfType
	if optionalOld {
		oldType = cel.OptionalType(selfType)
	}
	env, err := baseEnv().Extend(
		cel.CustomTypeProvider(&provider{Provider: baseEnv().CELTypeProvider(), env: e}),
		cel.Variable(expr.SelfName, selfType),
		cel.Variable(expr.OldSelfName, oldType),
	)
	if err != nil {
		return nil, err
	}
	e.env = env
	return e, nil
}

// Self returns the type that the rules are about.
func (e *Env) Self() *expr.Type { return e.self }

// Types returns the fields of the objects in it.
func (e *Env) Types() expr.Types { return e.types }

// plainTypes are the types without parameters.
var plainTypes = map[expr.Kind]*cel.Type{
	expr.DynKind: cel.DynType, expr.IntOrStringKind: cel.DynType, expr.NullKind: cel.NullType, expr.BoolKind: cel.BoolType,
	expr.IntKind: cel.IntType, expr.UintKind: cel.UintType, expr.DoubleKind: cel.DoubleType, expr.StringKind: cel.StringType,
	expr.BytesKind: cel.BytesType, expr.DurationKind: cel.DurationType, expr.TimestampKind: cel.TimestampType,
}

// celType returns cel-go's type for a type; nil if rules cannot refer to it.
func (e *Env) celType(t *expr.Type) *cel.Type {
	if plain, ok := plainTypes[t.Kind]; ok {
		return plain
	}
	switch t.Kind {
	case expr.ListKind:
		if elem := e.celType(t.Elem); elem != nil {
			return cel.ListType(elem)
		}
	case expr.MapKind:
		if elem := e.celType(t.Elem); elem != nil {
			return cel.MapType(cel.StringType, elem)
		}
	case expr.ObjectKind:
		return cel.ObjectType(t.Name)
	}
	return nil
}

// reason returns why rules cannot refer to values of a type; "" for data without a schema.
func reason(t *expr.Type) string {
	for t.Why == "" && t.Elem != nil {
		t = t.Elem
	}
	return t.Why
}

// scalars are the types without parameters.
var scalars = map[types.Kind]expr.Kind{
	types.BoolKind: expr.BoolKind, types.IntKind: expr.IntKind, types.UintKind: expr.UintKind, types.DoubleKind: expr.DoubleKind,
	types.StringKind: expr.StringKind, types.BytesKind: expr.BytesKind, types.NullTypeKind: expr.NullKind,
	types.DurationKind: expr.DurationKind, types.TimestampKind: expr.TimestampKind, types.TypeKind: expr.TypeKind,
}

// typeOf returns the type of an expression that the checker gives a CEL type.
func (e *Env) typeOf(t *types.Type) *expr.Type {
	if kind, ok := scalars[t.Kind()]; ok {
		return &expr.Type{Kind: kind}
	}
	switch t.Kind() {
	case types.ListKind:
		return expr.ListType(e.typeOf(t.Parameters()[0]))
	case types.MapKind:
		return &expr.Type{Kind: expr.MapKind, Key: e.typeOf(t.Parameters()[0]), Elem: e.typeOf(t.Parameters()[1])}
	}
	if t.TypeName() == "optional_type" {
		return expr.OptionalType(e.typeOf(t.Parameters()[0]))
	}
	if kind, ok := kinds[t.TypeName()]; ok {
		return &expr.Type{Kind: kind}
	}
	if e != nil && e.types[t.TypeName()] != nil {
		return &expr.Type{Kind: expr.ObjectKind, Name: t.TypeName()}
	}
	return &expr.Type{Kind: expr.DynKind}
}

// provider provides the fields of objects to cel-go.
type provider struct {
	types.Provider
	env *Env
}

func (p *provider) FindStructType(name string) (*types.Type, bool) {
	if p.env.types[name] != nil {
		return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
	}
	return p.Provider.FindStructType(name)
}

func (p *provider) FindStructFieldNames(name string) ([]string, bool) {
	fields := p.env.types[name]
	if fields == nil {
		return p.Provider.FindStructFieldNames(name)
	}
	var names []string
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if escaped, ok := expr.EscapeName(field); ok {
			names = append(names, escaped)
		}
	}
	return names, true
}

func (p *provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	fields := p.env.types[name]
	if fields == nil {
		return p.Provider.FindStructFieldType(name, field)
	}
	property, ok := expr.UnescapeName(field)
	if !ok && expr.Reserved(field) {
		property, ok = field, true
	}
	t := fields[property]
	if !ok {
		return nil, false
	}
	if t == nil {
		p.env.missing[field] = name
		return nil, false
	}
	celType := p.env.celType(t)
	if celType == nil {
		p.env.unknown[field] = reason(t)
	}
	return &types.FieldType{Type: celType}, celType != nil
}

// programOptions are the options of API servers that affect the meaning of rules.
func programOptions() []cel.ProgramOption {
	return []cel.ProgramOption{
		cel.EvalOptions(cel.OptOptimize),
		// Constant expressions that do not compile are mistakes of the rule.
		cel.OptimizeRegex(constantPattern("find"), constantPattern("findAll")),
	}
}

func constantPattern(function string) *interpreter.RegexOptimization {
	return &interpreter.RegexOptimization{
		Function: function, RegexIndex: 1,
		Factory: func(call interpreter.InterpretableCall, pattern string) (interpreter.InterpretableCall, error) {
			_, err := regexp.Compile(pattern)
			return call, err
		},
	}
}

// namespaced reports whether a function is one of a namespace, such as sets.contains.
func namespaced(name string) bool {
	return strings.Contains(name, ".") && baseEnv().HasFunction(name)
}

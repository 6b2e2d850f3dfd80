package skew

import (
	"reflect"
	"runtime"
	"sync"
	"weak"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Mark is a boolean property of a validation error.
type Mark uint8

// The marks of errors. Package field documents them.
const (
	// Alpha and Beta exclude each other.
	Alpha Mark = 1 << iota
	Beta
	ShortCircuit
	FromImperative
	ShortCircuitedInDeclarative
)

// Set adds a mark to an error.
func Set(err *field.Error, mark Mark) {
	if f := flag(err, mark); f != nil {
		*f = true
		return
	}
	leveled, ok := any(err).(leveled)
	switch {
	case ok && mark == Alpha:
		_ = leveled.MarkAlpha() // the error itself
	case ok && mark == Beta:
		_ = leveled.MarkBeta()
	case mark == Alpha || mark == Beta:
		remember(err, remembered(err)&^(Alpha|Beta)|mark)
	default:
		remember(err, remembered(err)|mark)
	}
}

// Marked adds a mark to an error, and returns it.
func Marked(err *field.Error, mark Mark) *field.Error {
	Set(err, mark)
	return err
}

// Clear removes a mark that is not Alpha or Beta from an error.
func Clear(err *field.Error, mark Mark) {
	if f := flag(err, mark); f != nil {
		*f = false
	} else if marks := remembered(err); marks&mark != 0 {
		remember(err, marks&^mark)
	}
}

// Has reports whether an error has a mark.
func Has(err *field.Error, mark Mark) bool {
	if f := flag(err, mark); f != nil {
		return *f
	}
	leveled, ok := any(err).(leveled)
	switch {
	case ok && mark == Alpha:
		return leveled.IsAlpha()
	case ok && mark == Beta:
		return leveled.IsBeta()
	}
	return remembered(err)&mark != 0
}

// leveled has the methods of field.Error for the levels of rules, since v0.36.
type leveled interface {
	IsAlpha() bool
	IsBeta() bool
	MarkAlpha() *field.Error
	MarkBeta() *field.Error
}

// flags are the indexes of the fields of field.Error that have marks. FromImperative
// exists since v0.36, the others since v0.37.
var flags = func() map[Mark][]int {
	found := map[Mark][]int{}
	for mark, name := range map[Mark]string{
		ShortCircuit:                "ShortCircuit",
		FromImperative:              "FromImperative",
		ShortCircuitedInDeclarative: "ShortCircuitedInDeclarative",
	} {
		if f, ok := reflect.TypeFor[field.Error]().FieldByName(name); ok && f.Type.Kind() == reflect.Bool {
			found[mark] = f.Index
		}
	}
	return found
}()

// flag returns the field that has a mark, or nil if apimachinery does not have it.
func flag(err *field.Error, mark Mark) *bool {
	index, ok := flags[mark]
	if !ok {
		return nil
	}
	return reflect.ValueOf(err).Elem().FieldByIndex(index).Addr().Interface().(*bool)
}

// memory has the marks of errors for which apimachinery has no field. It does not
// keep the errors alive. A copy of an error has no marks.
var memory sync.Map // weak.Pointer[field.Error] to Mark

func remembered(err *field.Error) Mark {
	if marks, ok := memory.Load(weak.Make(err)); ok {
		return marks.(Mark)
	}
	return 0
}

func remember(err *field.Error, marks Mark) {
	key := weak.Make(err)
	if _, known := memory.Swap(key, marks); !known {
		runtime.AddCleanup(err, func(key weak.Pointer[field.Error]) { memory.Delete(key) }, key)
	}
}

package evolve

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
)

// checkDefaults checks the default of every added field: a function of the
// package, or JSON that fits the type that the field was added with.
func (h *hub) checkDefaults() {
	for _, t := range h.pkg.Types {
		for _, f := range t.Fields {
			hs := h.of(f)
			if hs.addedBy == nil {
				continue
			}
			if text, given := hs.addedBy.Args["default"]; given {
				h.checkDefault(f, hs.addedBy, text)
			}
		}
	}
}

func (h *hub) checkDefault(f *model.Field, c *model.Change, text string) {
	span := at(c, "default")
	want := h.typeAt(f, h.of(f).added)
	if !isFunctionName(text) {
		if err := h.fits(want, []byte(text)); err != nil {
			h.bag.Errorf(span, codeDefault, "the default of %s: %v", h.of(f).label, err)
		}
		return
	}
	fn := h.pkg.Funcs[text]
	signature := fmt.Sprintf("func %s() %s", text, h.spell(want))
	switch {
	case fn == nil:
		d := h.bag.Errorf(span, codeMissingFunction, "package %s has no function %s", h.pkg.Name, text).
			Note(span, "its signature is: %s", signature)
		if h.m.Underlying(want).IsString() {
			d.Note(span, "a string is written with quotes of its own: default: %q", strconv.Quote(text))
		}
	case !token.IsExported(text):
		h.bag.Errorf(span, codeUnexportedFunction, "%s is called from the packages of older versions; name it %s", text, upperFirst(text)).
			Note(fn.Span, "declared here")
	case len(fn.Params) != 0 || len(fn.Results) != 1 || !same(fn.Results[0], want):
		h.bag.Errorf(span, codeSignature, "%s must take nothing and return %s", text, h.a(want)).
			Note(fn.Span, "write: %s", signature)
	}
}

// isFunctionName reports whether a default names a function; otherwise it is JSON.
func isFunctionName(text string) bool {
	return token.IsIdentifier(text) && text != "true" && text != "false" && text != "null"
}

var errUseFunction = errors.New("a value of this type cannot be written as JSON here; write a function that returns it")

// fits reports how a JSON value does not fit a type. The error is the user's.
func (h *hub) fits(r *model.Ref, text json.RawMessage) error {
	if !json.Valid(text) {
		return fmt.Errorf("%q is neither JSON nor the name of a function", string(text))
	}
	if elem, ok := h.m.Deref(r); ok {
		if string(text) == "null" {
			return nil
		}
		return h.fits(elem, text)
	}
	u, chain := h.m.Resolve(r)
	for _, t := range chain {
		if t.Methods["UnmarshalJSON"] != nil || t.Generic {
			return errUseFunction
		}
	}
	switch {
	case u.Kind == model.KindStruct && len(chain) > 0:
		return h.fitsStruct(chain[len(chain)-1], text)
	case u.IsBytes() || u.Kind == model.KindStruct:
		return errUseFunction
	case u.Kind == model.KindSlice:
		return eachValue(text, "[]", func(v json.RawMessage) error { return h.fits(u.Elem, v) })
	case u.Kind == model.KindMap && h.m.Underlying(u.Key).IsString():
		return eachValue(text, "{}", func(v json.RawMessage) error { return h.fits(u.Elem, v) })
	case !u.IsScalar():
		return errUseFunction
	}
	return h.fitsScalar(u, chain, text)
}

func (h *hub) fitsStruct(t *model.Type, text json.RawMessage) error {
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil || object == nil {
		return fmt.Errorf("%s is not %s; write an object", text, withArticle(t.Name))
	}
	for _, key := range sortedKeys(object) {
		f := t.FieldByJSON(key)
		if f == nil {
			return fmt.Errorf("%s has no field %q", t.Name, key)
		}
		if err := h.fits(f.Type, object[key]); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

func eachValue(text json.RawMessage, shape string, check func(json.RawMessage) error) error {
	if string(text) == "null" {
		return nil
	}
	var values []json.RawMessage
	var err error
	if shape == "[]" {
		err = json.Unmarshal(text, &values)
	} else {
		var object map[string]json.RawMessage
		err = json.Unmarshal(text, &object)
		for _, key := range sortedKeys(object) {
			values = append(values, object[key])
		}
	}
	if err != nil {
		return fmt.Errorf("%s is not of the form %s", text, shape)
	}
	for _, v := range values {
		if err := check(v); err != nil {
			return err
		}
	}
	return nil
}

func (h *hub) fitsScalar(u *model.Ref, chain []*model.Type, text json.RawMessage) error {
	var v any
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return fmt.Errorf("%s is not JSON", text)
	}
	bad := fmt.Errorf("%s is not %s", text, withArticle(u.Name))
	switch v := v.(type) {
	case string:
		if !u.IsString() {
			return bad
		}
		if len(chain) > 0 && closed(chain[0]) && !slices.ContainsFunc(chain[0].Consts, func(c *model.Const) bool { return c.Value == v }) {
			return fmt.Errorf("%s is not a value of the enum %s", text, chain[0].Name)
		}
	case bool:
		if !u.IsBool() {
			return bad
		}
	case json.Number:
		lo, hi, isInt := u.IntRange()
		n, exact := new(big.Int).SetString(v.String(), 10)
		switch {
		case u.IsFloat():
		case !isInt:
			return bad
		case !exact:
			return fmt.Errorf("%s is not an integer", text)
		case n.Cmp(bigInt(lo)) < 0 || n.Cmp(bigInt(hi)) > 0:
			return fmt.Errorf("%s is out of the range of %s", text, u.Name)
		}
	default:
		return bad
	}
	return nil
}

func bigInt(s string) *big.Int {
	n, _ := new(big.Int).SetString(s, 10)
	return n
}

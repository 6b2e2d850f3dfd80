package item

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	keys := n.ListMapKeys()
	if len(keys) == 0 {
		bag.Errorf(c.NameSpan, codeNoKeys, "the items of %s have no keys; use +k8s:listType=map with +k8s:listMapKey", n.Describe())
		return
	}
	var missing []string
	for _, k := range keys {
		v := c.Arg(k.JSON)
		if v == nil {
			missing = append(missing, k.JSON)
			continue
		}
		checkValue(n, k, v, bag)
	}
	if len(missing) > 0 {
		bag.Errorf(c.NameSpan, codeMissingKey, "an item is identified by all keys of the list; add a value for %s", strings.Join(missing, " and "))
	}
	for _, a := range c.Args {
		if !has(keys, a.Name) {
			unknown(keys, a, bag)
		}
	}
}

func checkValue(n *tag.Node, key *model.Field, v *model.Value, bag *diag.Bag) {
	elem, _ := n.Model.Deref(key.Type)
	u := n.Model.Underlying(elem)
	if _, ok := tag.KeyConstant(n.Model, key, v); !ok {
		bag.Errorf(v.Span, codeWrongKind, "key %s has type %s, but %s does not", key.JSON, u, v.Text)
		return
	}
	if lo, hi, ok := u.IntRange(); ok && !tag.InRange(v.Text, lo, hi) {
		bag.Errorf(v.Span, codeWrongKind, "key %s has type %s, which is %s to %s", key.JSON, u, lo, hi)
	}
}

func has(keys []*model.Field, name string) bool {
	for _, k := range keys {
		if k.JSON == name {
			return true
		}
	}
	return false
}

func unknown(keys []*model.Field, a model.Arg, bag *diag.Bag) {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.JSON
	}
	bag.Errorf(a.Span, codeNotAKey, "%q is not a key of the list; its keys are: %s", a.Name, strings.Join(names, ", "))
}

package model

import (
	"slices"
	"testing"
)

// roles are the roles of tags whose names differ from their roles.
var roles = map[string]Role{
	"alpha": RoleAlpha, "beta": RoleBeta, "ifEnabled": RoleOptionOn, "ifDisabled": RoleOptionOff, "ifOptionDisabled": RoleOptionOff,
	"listType": RoleListType, "optional": RoleOptional,
}

// chain returns nested tags; an argument follows its tag's name, in parentheses.
func chain(names ...string) *Tag {
	var c *Tag
	for _, name := range slices.Backward(names) {
		c = &Tag{Name: "k8s:" + name, Role: roles[name], Inner: c}
	}
	return c
}

func TestBare(t *testing.T) {
	for _, c := range []struct {
		chain []string
		bare  string
		under []string
	}{
		{[]string{"minimum"}, "k8s:minimum", nil},
		{[]string{"alpha", "minimum"}, "k8s:minimum", []string{"k8s:alpha"}},
		{[]string{"beta", "ifEnabled", "ifOptionDisabled", "minimum"}, "k8s:minimum", []string{"k8s:beta", "k8s:ifEnabled", "k8s:ifOptionDisabled"}},
		{[]string{"alpha", "eachVal", "beta", "minimum"}, "k8s:eachVal", []string{"k8s:alpha"}},
		{[]string{"alpha"}, "", []string{"k8s:alpha"}},
	} {
		bare, under := chain(c.chain...).Bare()
		name := ""
		if bare != nil {
			name = bare.Name
		}
		var names []string
		for _, u := range under {
			names = append(names, u.Name)
		}
		if name != c.bare || !slices.Equal(names, c.under) {
			t.Errorf("%v: got %q under %v", c.chain, name, names)
		}
	}
	list := []*Tag{chain("alpha", "listType"), chain("optional"), chain("beta")}
	if got := Bare(list); len(got) != 2 || got[0].Name != "k8s:listType" || got[1].Name != "k8s:optional" {
		t.Errorf("a list: got %v", got)
	}
	if !HasBare(list, RoleListType) || HasBare(list, RoleAlpha) || HasBare(list, RoleRequired) {
		t.Error("tags of a list are not those under its conditions")
	}
}

// option returns a condition on an option.
func option(name, opt string) *Tag {
	return &Tag{Name: "k8s:" + name, Role: roles[name], Args: []Arg{{Value: Value{Kind: IdentValue, Text: opt}}}}
}

func TestSameCondition(t *testing.T) {
	c := option("ifEnabled", "X")
	if !SameCondition(c, option("ifEnabled", "X")) || SameCondition(c, option("ifEnabled", "Y")) ||
		SameCondition(c, option("ifDisabled", "X")) {
		t.Error("conditions are the same when they depend on the same")
	}
}

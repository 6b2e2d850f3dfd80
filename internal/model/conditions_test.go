package model

import (
	"slices"
	"testing"
)

// roles are the roles of tags whose names differ from their roles.
var roles = map[string]Role{
	"alpha": RoleAlpha, "beta": RoleBeta, "ifEnabled": RoleOptionOn, "ifDisabled": RoleOptionOff, "ifOptionDisabled": RoleOptionOff,
	"listType": RoleListType, "optional": RoleOptional, "unionMember": RoleUnionMember, "unionDiscriminator": RoleUnionDiscriminator,
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
		t.Error("what a list says is not what stands behind its conditions")
	}
}

// option wraps a tag in a condition on an option.
func option(name, opt string, inner *Tag) *Tag {
	return &Tag{Name: "k8s:" + name, Role: roles[name], Args: []Arg{{Value: Value{Kind: IdentValue, Text: opt}}}, Inner: inner}
}

func TestUnionsUnderConditions(t *testing.T) {
	field := func(name string, c *Tag) *Field { return &Field{Name: name, Tags: []*Tag{c}} }
	unions := UnionsOf(&Type{Fields: []*Field{
		field("Kind", option("ifEnabled", "X", chain("unionDiscriminator"))),
		field("A", chain("unionMember")),
		field("B", option("ifEnabled", "Y", chain("alpha", "unionMember"))),
	}})
	if len(unions) != 1 || len(unions[0].Members) != 2 || unions[0].Discriminator != "Kind" {
		t.Fatalf("got %d unions", len(unions))
	}
	u := unions[0]
	var got []string
	for _, list := range [][]*Tag{u.Conditions, u.Members[0].Conditions, u.Members[1].Conditions} {
		text := ""
		for _, c := range list {
			text += c.Name + c.ArgText("") + " "
		}
		got = append(got, text)
	}
	if want := []string{"k8s:ifEnabledX ", "", "k8s:ifEnabledY k8s:alpha "}; !slices.Equal(got, want) {
		t.Errorf("conditions are %q, want %q", got, want)
	}
	if !SameCondition(u.Conditions[0], option("ifEnabled", "X", nil)) || SameCondition(u.Conditions[0], option("ifEnabled", "Y", nil)) ||
		SameCondition(u.Conditions[0], option("ifDisabled", "X", nil)) {
		t.Error("conditions are the same when they depend on the same")
	}
}

package tag

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// EnumValues returns the constants that are values of an enum, in order of
// declaration, each value once.
func EnumValues(t *model.Type) []*model.Const {
	var values []*model.Const
	seen := map[string]bool{}
	for _, c := range t.Consts {
		if model.Has(c.Tags, model.RoleEnumExclude) || seen[c.Value] {
			continue
		}
		seen[c.Value] = true
		values = append(values, c)
	}
	return values
}

// EnumExclusion excludes a constant from its enum if an option is enabled or disabled.
type EnumExclusion struct {
	Const  *model.Const
	Option string
	// When is set if the enabled option excludes the constant.
	When bool
}

// EnumExclusions returns the values of an enum that depend on options, in order of declaration.
func EnumExclusions(t *model.Type) []EnumExclusion {
	var found []EnumExclusion
	for _, value := range EnumValues(t) {
		for _, c := range value.Tags {
			bare, under := c.Bare()
			if bare == nil || bare.Role != model.RoleEnumExclude || len(under) != 1 {
				continue
			}
			found = append(found, EnumExclusion{Const: value, Option: under[0].ArgText(""), When: under[0].Role == model.RoleOptionOn})
		}
	}
	return found
}

// EnumConstants returns the values of an enum for its rule.
func EnumConstants(t *model.Type) []rule.EnumValue {
	var values []rule.EnumValue
	exclusions := EnumExclusions(t)
	for _, c := range EnumValues(t) {
		v := rule.EnumValue{Const: c.Name, Value: c.Value}
		for _, x := range exclusions {
			if x.Const == c {
				v.Excluded = append(v.Excluded, rule.Condition{Option: x.Option, Off: !x.When})
			}
		}
		values = append(values, v)
	}
	return values
}

// MarkedEnumOf is like EnumOf, and also finds types whose constants other tools publish: those with +enum or
// controller-gen's marker. Checks ask for it. Rules of +k8s: tags do not, since nothing enforces +enum.
func MarkedEnumOf(m *model.Model, r *model.Ref) *model.Type {
	if t := EnumOf(m, r); t != nil {
		return t
	}
	return declaredEnum(m, r, (*model.Type).IsEnum)
}

// PublishedEnumOf returns the type of a value if it has +enum alone: schemas list its constants, and nothing enforces
// them.
func PublishedEnumOf(m *model.Model, r *model.Ref) *model.Type {
	if EnumOf(m, r) != nil {
		return nil
	}
	return declaredEnum(m, r, func(t *model.Type) bool {
		return model.HasMarker(t.Markers, foreign.Enum) && !model.HasMarker(t.Markers, foreign.KubebuilderEnum)
	})
}

func declaredEnum(m *model.Model, r *model.Ref, is func(*model.Type) bool) *model.Type {
	elem, _ := m.Deref(r)
	_, chain := m.Resolve(elem)
	if i := slices.IndexFunc(chain, is); i >= 0 {
		return chain[i]
	}
	return nil
}

// markedValues returns the values of controller-gen's marker of enums on a field, nil without one.
func markedValues(f *model.Field) []rule.EnumValue {
	var values []rule.EnumValue
	for _, marker := range f.Markers {
		if _, list, ok := strings.Cut(marker.Text, "="); ok && marker.Name == foreign.KubebuilderEnum {
			for v := range strings.SplitSeq(strings.Trim(list, "{}"), ";") {
				values = append(values, rule.EnumValue{Value: strings.Trim(v, "\"`")})
			}
		}
	}
	return values
}

// EnumOf returns the type in a value's chain of declarations that is an enum, or nil.
func EnumOf(m *model.Model, r *model.Ref) *model.Type {
	return declaredEnum(m, r, func(t *model.Type) bool { return model.HasBare(t.Tags, model.RoleEnum) })
}

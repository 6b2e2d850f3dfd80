package defaulttag_test

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
	defaulttag "github.com/kindsmith/kindsmith/internal/tags/default"
)

func TestSchema(t *testing.T) {
	mode := &model.Type{
		Name: "Mode", Package: "p", Def: model.Builtin("string"), Default: &model.Default{JSON: `"Slow"`},
		Consts: []*model.Const{{Name: "ModeFast", Value: `Fa"st`, IsString: true}},
	}
	owner := &model.Type{Name: "Spec", Package: "p", Def: &model.Ref{Kind: model.KindStruct}}
	m := &model.Model{Packages: []*model.Package{{Path: "p", Types: []*model.Type{mode, owner}}}}
	m.Index()
	ref := model.Named("p", "Mode")
	for _, c := range []struct {
		name  string
		node  *tag.Node
		wants string
	}{
		{"value", &tag.Node{Field: &model.Field{Name: "F", Type: ref, Default: &model.Default{JSON: `{"a": [1, 2]}`}}}, `{"a":[1,2]}`},
		{"constant", &tag.Node{Field: &model.Field{Name: "F", Type: ref, Default: &model.Default{Ref: &model.Name{Name: "ModeFast"}}}}, `"Fa\"st"`},
		{"of the field's type", &tag.Node{Field: &model.Field{Name: "F", Type: model.PointerTo(ref)}}, `"Slow"`},
		{"type", &tag.Node{Owner: mode}, `"Slow"`},
	} {
		if c.node.Owner == nil {
			c.node.Owner = owner
		}
		c.node.Model = m
		props := &apiextensionsv1.JSONSchemaProps{}
		defaulttag.Definition().Schema.(tag.SchemaRules)(c.node, &model.Constraint{Name: "default"}, &tag.Schema{Props: props})
		if props.Default == nil || string(props.Default.Raw) != c.wants {
			t.Errorf("%s: got %v, want %s", c.name, props.Default, c.wants)
		}
	}
}

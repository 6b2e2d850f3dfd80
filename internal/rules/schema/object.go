package schema

import (
	"reflect"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Root builds the schema of an object of the kind.
func (b *Builder) Root(t *model.Type) *props {
	s := b.named(model.Named(t.Package, t.Name), use{span: t.Span, correlatable: true, contents: true})
	if meta, ok := s.Properties["metadata"]; ok {
		s.Properties["metadata"] = b.metadata(t, meta)
	}
	return s
}

// metadata reduces the schema of an object's metadata to what the server accepts: only rules on the
// name.
func (b *Builder) metadata(t *model.Type, meta props) props {
	out := props{Type: Object}
	plain := embeddedObjectMeta().Properties
	lost := len(meta.XValidations) > 0
	for _, name := range sortedKeys(meta.Properties) {
		p := meta.Properties[name]
		p.Description = ""
		switch {
		case reflect.DeepEqual(p, plain[name]):
		case name == "name":
			out.Properties = map[string]props{name: p}
		default:
			lost = true
		}
	}
	if lost {
		for _, f := range t.Fields {
			if f.JSON == "metadata" && b.ours(t.Package) {
				b.diags.Warnf(f.Span, codeNotProjected, "of the rules on metadata, API servers enforce only those on metadata.name")
			}
		}
	}
	return out
}

// Settle completes the schema of an object of a kind, once its definition has all its keywords: it removes the automatic
// defaults that API servers would reject or that would change the meaning of a rule, and reports bounds that no value
// satisfies.
func (b *Builder) Settle(t *model.Type, root *props) error {
	if err := b.settleDefaults(t, root); err != nil {
		return err
	}
	b.checkBounds(t, root, root, nil)
	return nil
}

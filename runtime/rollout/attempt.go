package rollout

import (
	"cmp"
	"log/slog"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// identifier names what is validated in the log and in the metrics: the kind, the
// subresource and the operation, such as "database_status_update".
func (a Attempt) identifier() string {
	kind := cmp.Or(a.Kind.Kind, "unknown_resource")
	parts := append([]string{strings.ToLower(kind)}, a.Operation.Request.Subresources...)
	return strings.Join(append(parts, verb(a.Operation)), "_")
}

func verb(op operation.Operation) string {
	switch op.Type {
	case operation.Create:
		return "create"
	case operation.Update:
		return "update"
	}
	return "unknown_op"
}

// attrs say in the log which object it is about.
func (a Attempt) attrs() []slog.Attr {
	attrs := []slog.Attr{
		slog.String("validation", a.identifier()),
		slog.String("group", a.Kind.Group),
		slog.String("version", a.Kind.Version),
		slog.String("kind", a.Kind.Kind),
		slog.String("subresource", strings.Join(a.Operation.Request.Subresources, "/")),
	}
	if object, err := meta.Accessor(a.Object); err == nil {
		attrs = append(attrs, slog.String("namespace", object.GetNamespace()), slog.String("name", object.GetName()))
	}
	return attrs
}

// render says what is wrong and where, without the value: an object may hold what
// does not belong into a log. An internal error is about the program.
func (c Config) render(err *field.Error) string {
	if internal(err) {
		return err.Error()
	}
	return c.matcher().Render(err)
}

// at renders what a side says about the place of err.
func (c Config) at(err *field.Error, list field.ErrorList) []string {
	here := field.ErrorMatcher{}.ByFieldNormalized(c.Paths)
	rendered := []string{}
	for _, e := range list {
		// The path of the declarative error is the one to rewrite: it may be either.
		if here.Matches(err, e) || here.Matches(e, err) {
			rendered = append(rendered, c.render(e))
		}
	}
	return rendered
}

package rollout

import (
	"cmp"
	"log/slog"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// identifier identifies the validation in logs and metrics by kind, subresource and
// operation, such as "database_status_update".
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

// attrs identify the object in logs.
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

// render formats an error without the value: objects may contain data that must
// not be logged. An internal error is formatted in full.
func (c Config) render(err *field.Error) string {
	if internal(err) {
		return err.Error()
	}
	return logged.Render(err)
}

// logged are the properties of errors that logs have.
var logged = field.ErrorMatcher{}.ByType().ByField().ByOrigin().RequireOriginWhenInvalid()

// at formats the errors of a side that have the path of err.
func (c Config) at(err *field.Error, list field.ErrorList) []string {
	rendered := []string{}
	for _, e := range list {
		// Paths rewrites declarative errors; err may be one.
		if c.samePath(err, e) || c.samePath(e, err) {
			rendered = append(rendered, c.render(e))
		}
	}
	return rendered
}

package openapi

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/unions"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// definition is the OpenAPI definition of a struct. References in the schema are Go names; the
// printer replaces them.
type definition struct {
	typ    *model.Type
	schema spec.Schema
	// refs are the types that the schema refers to.
	refs map[model.Name]bool
	// custom are the methods by which the type describes itself.
	custom custom
}

// custom are the methods of a type that API machinery calls in place of a generated schema.
type custom struct {
	// V2 and V3 are set if the type returns complete definitions.
	v2, v3 bool
	// typed is set if it returns a type and a format for OpenAPI v2, oneOf if also types for v3.
	typed, oneOf bool
}

// complete reports whether no schema of the type is printed.
func (c custom) complete() bool { return !c.typed && (c.v2 || c.v3) }

func customOf(t *model.Type) custom {
	returns := func(method string) bool {
		m := t.Methods[method]
		return m != nil && strings.HasSuffix(m.Result, ".OpenAPIDefinition")
	}
	return custom{
		v2: returns("OpenAPIDefinition"), v3: returns("OpenAPIV3Definition"),
		typed: t.Methods["OpenAPISchemaType"] != nil && t.Methods["OpenAPISchemaFormat"] != nil,
		oneOf: t.Methods["OpenAPIV3OneOfTypes"] != nil,
	}
}

// builder builds the definitions of one file.
type builder struct {
	// open are the lists and maps whose values are being described.
	open []*model.Type
	c    *emit.Context
	m    *model.Model
	// queue are the types to define, done all that were in it.
	queue []*model.Type
	done  map[model.Name]bool
	// failed is set if a mistake was reported.
	failed bool
	// current is the definition under construction.
	current *definition
	// unsaid are the rules that definitions do not have, by the package of their types.
	unsaid map[string][]rule.Rule
}

func (b *builder) want(t *model.Type) {
	if !b.done[t.ID()] && selected(t.Markers) != no {
		b.done[t.ID()] = true
		if b.m.Underlying(model.Named(t.Package, t.Name)).Kind == model.KindStruct {
			b.queue = append(b.queue, t)
		}
	}
}

func (b *builder) errorf(span source.Span, code diag.Code, format string, args ...any) {
	b.failed = true
	b.c.Diags.Errorf(span, code, format, args...)
}

// define builds the definition of a struct, or of a type that is declared from one.
func (b *builder) define(t *model.Type) *definition {
	d := &definition{typ: t, refs: map[model.Name]bool{}, custom: customOf(t)}
	b.current = d
	if d.custom.complete() {
		return d
	}
	d.schema.Description = description(t.Doc)
	extend(&d.schema, t.Markers)
	b.validate(&d.schema, t.Markers)
	if d.custom.typed {
		return d
	}
	d.schema.Type = []string{"object"}
	d.schema.Properties = map[string]spec.Schema{}
	b.members(&d.schema, t)
	for _, named := range b.chain(model.Named(t.Package, t.Name)) {
		b.keep(&d.schema, named, b.c.Rules.Of(named).Rules)
	}
	return d
}

// members adds the members of a struct's JSON object, and the unions of the struct and of those that it inlines.
func (b *builder) members(s *spec.Schema, t *model.Type) {
	strukt := b.m.Struct(model.Named(t.Package, t.Name))
	object := b.m.Object(strukt)
	if object == nil {
		return
	}
	structs, published := b.structs(strukt), []*rule.Union{}
	collect := func(rules []rule.Rule) {
		for _, r := range rules {
			if u, ok := r.Must.(*rule.Union); ok {
				published = append(published, u)
			}
		}
	}
	for _, in := range structs {
		collect(b.c.Rules.Of(in).Rules)
		if in != strukt {
			b.keep(s, in, b.c.Rules.Of(in).Rules)
		}
	}
	for _, member := range object.Members {
		f, owner := member.Field, b.m.Type(member.Owner)
		if selected(f.Markers) == no || !slices.Contains(structs, owner) {
			continue
		}
		of := b.c.Rules.FieldOf(b.c.Rules.Of(owner), f)
		collect(of.Around)
		b.keep(s, owner, of.Around)
		s.Properties[member.Name] = b.property(owner, member, of.Rules)
		if b.m.PublishedPresence(owner, f, b.c.Held(owner.Package, f.Tags)).Required {
			s.Required = append(s.Required, member.Name)
		}
	}
	for _, in := range structs {
		b.older(s, in)
	}
	for _, u := range published {
		publish(s, u)
	}
}

// structs returns the structs whose fields are members of an object: those that it inlines, and itself.
func (b *builder) structs(t *model.Type) (list []*model.Type) {
	for _, f := range t.Fields {
		inner := b.m.Inlined(f)
		if inner == nil || selected(f.Markers) == no {
			continue
		}
		if r, _ := b.resolve(f.Type); inner.Generic || b.m.Type(r.ID()) != nil && b.m.Type(r.ID()).Generic {
			b.generic(r, f)
			continue
		}
		for _, below := range b.structs(inner) {
			if !slices.Contains(list, below) {
				list = append(list, below)
			}
		}
	}
	return append(list, t)
}

func (b *builder) generic(r *model.Ref, f *model.Field) {
	b.errorf(f.TypeSpan, codeGeneric, "%s is an instance of a generic struct, which has no OpenAPI definition; declare a struct for the field %s", r, f.Name)
}

// property builds the schema of a field.
func (b *builder) property(owner *model.Type, member *model.Member, rules []rule.Rule) spec.Schema {
	s, f := spec.Schema{}, member.Field
	extend(&s, f.Markers)
	own(&s, member)
	s.Description = description(f.Doc + b.enumText(f.Type))
	if f.HasOption("string") {
		s.Type = []string{"string"}
		return s
	}
	if e, ok := defaulting.OfField(b.m, owner, f); ok {
		s.Default = decode(e.JSON())
	}
	b.validate(&s, f.Markers)
	b.value(&s, f.Type, f)
	b.keep(&s, owner, rules)
	return s
}

// value sets the schema of a type, except for its default.
func (b *builder) value(s *spec.Schema, r *model.Ref, f *model.Field) {
	r, chain := b.resolve(r)
	for _, t := range chain {
		if slices.Contains(b.open, t) {
			b.errorf(f.TypeSpan, codeType, "OpenAPI cannot describe %s, whose values contain themselves without a struct between; use a struct, or exclude the field %s by +%s=false", t.Name, f.Name, foreign.OpenAPIGen)
			return
		}
	}
	b.open = append(b.open, chain...)
	defer func() { b.open = b.open[:len(b.open)-len(chain)] }()
	for _, t := range slices.Backward(chain) {
		b.keep(s, t, b.c.Rules.Of(t).Rules)
	}
	if typ, format := common.OpenAPITypeFormat(goName(r)); typ != "" {
		s.Type, s.Format = []string{typ}, cmp.Or(s.Format, format)
		if e := b.enum(chain); e != nil && len(s.Enum) == 0 {
			for _, c := range b.constants(e) {
				s.Enum = append(s.Enum, c.Value)
			}
			slices.SortFunc(s.Enum, func(x, y any) int { return strings.Compare(x.(string), y.(string)) })
		}
		return
	}
	switch r.Kind {
	case model.KindMap:
		s.Type = []string{"object"}
		s.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: b.item(r.Elem, f)}
	case model.KindSlice, model.KindArray:
		s.Type = []string{"array"}
		s.Items = &spec.SchemaOrArray{Schema: b.item(r.Elem, f)}
	case model.KindInterface:
	case model.KindNamed:
		t := b.m.Type(r.ID())
		if t != nil && t.Generic {
			b.generic(r, f)
			return
		}
		if t != nil && selected(t.Markers) == no {
			b.errorf(f.TypeSpan, codeType, "%s has no OpenAPI definition because of +%s=false; remove the marker, or write it above the field %s too", t.Name, foreign.OpenAPIGen, f.Name)
			return
		}
		if t != nil {
			s.Ref = spec.MustCreateRef(t.ID().String())
			b.current.refs[t.ID()] = true
			b.want(t)
			return
		}
		fallthrough
	default:
		b.errorf(f.TypeSpan, codeType, "OpenAPI cannot describe %s; use another type, or exclude the field %s by +%s=false", r, f.Name, foreign.OpenAPIGen)
	}
}

// item returns the schema of the items of a list or the values of a map.
func (b *builder) item(r *model.Ref, f *model.Field) *spec.Schema {
	s := &spec.Schema{}
	if e, ok := defaulting.OfValue(b.m, r); ok {
		s.Default = decode(e.JSON())
	}
	b.value(s, r, f)
	return s
}

// resolve returns the type of a value in JSON: a declared struct, or else the underlying type.
// Chain has the declared types on the way, outermost first.
func (b *builder) resolve(r *model.Ref) (resolved *model.Ref, chain []*model.Type) {
	for range 64 {
		t := b.m.Type(r.ID())
		switch {
		case r.Kind == model.KindPointer:
			r = r.Elem
		case t == nil:
			return r, chain
		case t.Alias:
			r = t.Def.Substitute(b.m.Params(r))
		case b.m.Underlying(r).Kind == model.KindStruct:
			return r, chain
		default:
			chain = append(chain, t)
			r = t.Def.Substitute(b.m.Params(r))
		}
	}
	return r, chain
}

// chain returns the declared types of a struct: itself, and those that it is declared from.
func (b *builder) chain(r *model.Ref) []*model.Type {
	_, chain := b.m.Resolve(r)
	return chain
}

// goName returns a type's name in kube-openapi's table of formats.
func goName(r *model.Ref) string {
	switch {
	case r.IsBytes():
		return "[]byte"
	case r.Kind == model.KindInterface:
		return "interface{}"
	case r.Kind == model.KindBuiltin && r.Name == "rune":
		return "int32"
	}
	return r.String()
}

// keep sets the keywords of the rules of a type, and records the rules that have none.
func (b *builder) keep(s *spec.Schema, owner *model.Type, rules []rule.Rule) {
	for _, r := range rules {
		if r.Effect == rule.Guard || !b.applies(r) {
			continue
		}
		if authored, ok := r.Must.(*rule.CEL); ok {
			list, _ := s.Extensions[celExtension].([]any)
			s.AddExtension(celExtension, append(list, celOf(authored)))
		} else if isOfUpdates := r.Moment != rule.Always && r.Moment != rule.OnChange; (isOfUpdates || !b.keyword(s, owner, r.Must)) && !r.Span.IsZero() {
			b.unsaid[owner.Package] = append(b.unsaid[owner.Package], r)
		}
	}
}

// celOf returns an author's CEL rule as schemas have it.
func celOf(c *rule.CEL) map[string]any {
	of := map[string]any{"rule": c.Rule}
	for keyword, text := range map[string]string{"message": c.Message, "messageExpression": c.MessageExpression, "reason": c.Reason, "fieldPath": c.FieldPath} {
		if text != "" {
			of[keyword] = text
		}
	}
	if c.OptionalOldSelf {
		of["optionalOldSelf"] = true
	}
	return of
}

func (b *builder) applies(r rule.Rule) bool {
	holds, _ := b.c.Options.Projection.Holds(r.Under)
	for _, under := range r.Unless {
		if not, _ := b.c.Options.Projection.Holds(under); not {
			return false
		}
	}
	return holds
}

// keyword sets the keyword of a predicate. It reports whether definitions say what the predicate means; [builder.members]
// and [builder.value] publish some.
func (b *builder) keyword(s *spec.Schema, owner *model.Type, must rule.Predicate) bool {
	switch must := must.(type) {
	case *rule.Required, *rule.Enum:
		return true
	case *rule.Union:
		return must.Discriminator != nil || must.Text == rule.Older
	case *rule.Limit:
		return limit(s, must)
	case *rule.Pattern:
		s.Pattern = cmp.Or(s.Pattern, must.Regexp)
		return s.Pattern == must.Regexp
	case *rule.Format:
		format := rule.Formats[must.Name].OpenAPI
		s.Format = cmp.Or(format, s.Format)
		return format != ""
	case *rule.ListType:
		if s.Extensions[typeExtension] != nil {
			return true
		}
		s.AddExtension(typeExtension, string(must.Type))
		var keys []string
		for _, k := range must.Keys {
			keys = append(keys, k.JSON)
		}
		if len(keys) > 0 {
			s.AddExtension(keysExtension, keys)
		}
		return true
	case *rule.Each:
		switch {
		case must.Keys:
		case s.Items != nil:
			b.keep(s.Items.Schema, owner, must.Rules)
			return true
		case s.AdditionalProperties != nil:
			b.keep(s.AdditionalProperties.Schema, owner, must.Rules)
			return true
		}
	}
	return false
}

// limit sets the keyword of a limit, and reports whether it has one. The stricter of two applies.
func limit(s *spec.Schema, l *rule.Limit) bool {
	if l.Of != rule.Number {
		return false
	}
	n := rule.IntOf(l.Value)
	size := func(keyword **int64, stricter func(a, b int64) bool) {
		if v := n.Int64(); n.IsInt64() && (*keyword == nil || stricter(v, **keyword)) {
			*keyword = &v
		}
	}
	higher := func(a, b int64) bool { return a > b }
	lower := func(a, b int64) bool { return a < b }
	switch l.Keyword {
	case rule.MinLength:
		size(&s.MinLength, higher)
	case rule.MinItems:
		size(&s.MinItems, higher)
	case rule.MinProperties:
		size(&s.MinProperties, higher)
	case rule.MaxLength, rule.MaxBytes: // a text has no more characters than bytes
		size(&s.MaxLength, lower)
	case rule.MaxItems:
		size(&s.MaxItems, lower)
	case rule.MaxProperties:
		size(&s.MaxProperties, lower)
	case rule.MultipleOf:
		if f, exact := rule.AsFloat(l.Value); exact && s.MultipleOf == nil {
			s.MultipleOf = &f
		}
	default:
		f, exact := rule.AsFloat(l.Value)
		if !exact {
			return false
		}
		how := rule.Comparisons[l.Keyword]
		keyword, exclusive := &s.Maximum, &s.ExclusiveMaximum
		if how.Lower {
			keyword, exclusive = &s.Minimum, &s.ExclusiveMinimum
		}
		switch old := *keyword; {
		case old == nil || how.Lower && *old < f || !how.Lower && *old > f:
			*keyword, *exclusive = &f, how.Exclusive
		case *old == f:
			*exclusive = *exclusive || how.Exclusive
		}
	}
	return true
}

// older publishes the unions of the older text as openapi-gen does: a list on the struct.
func (b *builder) older(s *spec.Schema, t *model.Type) {
	for _, u := range tag.UnionsOf(b.m, b.c.Tags, t) {
		fields, zeros, one := map[string]any{}, map[string]any{}, map[string]any{}
		for _, m := range u.Members {
			if m.Field == nil || selected(m.Field.Markers) == no {
				continue
			}
			fields[m.Name] = m.Field.Name
			if zero := zeroOf(m.Field.Type, b.m.Unset(m.Field)); zero != "" {
				zeros[m.Name] = zero
			}
		}
		if !u.IsOlder() || len(fields) == 0 {
			continue
		}
		one["fields-to-discriminateBy"] = fields
		if len(zeros) > 0 {
			one["zeros"] = zeros
		}
		if d := u.Discriminator; d != nil {
			one["discriminator"] = d.JSON
		}
		list, _ := s.Extensions[unionExtension].([]any)
		s.AddExtension(unionExtension, append(list, one))
	}
}

// zeroOf returns what extensions say about the values of a member that are unset; "" for nothing. Schemas say which members
// are lists and maps.
func zeroOf(t *model.Ref, unset model.Lack) string {
	if unset != model.LackZero {
		return ""
	}
	return string(unions.ZeroOf(t, unset))
}

// publish publishes a union of another text: an object on the discriminator.
func publish(s *spec.Schema, u *rule.Union) {
	if u.Discriminator == nil || u.Text == rule.Older {
		return
	}
	name := u.Discriminator.Field.JSON
	p, ok := s.Properties[name]
	if !ok {
		return
	}
	fields := map[string]any{}
	for _, v := range u.Discriminator.Values {
		fields[v.Value] = nil
	}
	for _, m := range u.Members {
		if m.Field == nil {
			continue
		}
		member := map[string]any{"name": m.Field.JSON, "optional": m.Optional}
		if zero := zeroOf(m.Field.Type, m.Field.Unset); zero != "" {
			member["zero"] = zero
		}
		fields[m.Value] = member
	}
	p.AddExtension(unionExtension, map[string]any{"fieldMembers": fields})
	s.Properties[name] = p
}

// enum returns the enum among the declared types of a value.
func (b *builder) enum(chain []*model.Type) *model.Type {
	for _, t := range chain {
		if t.ListsConstants() && b.m.Underlying(t.Ref()).IsString() {
			return t
		}
	}
	return nil
}

// constants returns the constants of an enum, each value once: that with the longest comment.
func (b *builder) constants(t *model.Type) []*model.Const {
	excluded := map[string]bool{}
	for _, r := range b.c.Rules.Of(t).Rules {
		if e, ok := r.Must.(*rule.Enum); ok {
			for _, v := range e.Values {
				excluded[v.Value] = slices.ContainsFunc(v.Excluded, func(c rule.Condition) bool {
					return slices.Contains(b.c.Options.Projection.Options, c.Option) != c.Off
				})
			}
		}
	}
	var list []*model.Const
	for _, c := range t.Consts {
		if excluded[c.Value] {
			continue
		}
		i := slices.IndexFunc(list, func(o *model.Const) bool { return o.Value == c.Value })
		switch {
		case i < 0:
			list = append(list, c)
		case len(c.Doc) > len(list[i].Doc) || len(c.Doc) == len(list[i].Doc) && c.Doc < list[i].Doc:
			list[i] = c
		}
	}
	return list
}

// enumText returns the lines on the values of an enum that follow a field's comment.
func (b *builder) enumText(r *model.Ref) string {
	_, chain := b.resolve(r)
	e := b.enum(chain)
	if e == nil {
		return ""
	}
	var lines []string
	for _, c := range b.constants(e) {
		about := strings.TrimPrefix(strings.TrimSpace(c.Doc), c.Name)
		value, _ := json.Marshal(c.Value)
		lines = append(lines, " - `"+string(value)+"` "+strings.Join(strings.Fields(about), " "))
	}
	if len(lines) == 0 {
		return ""
	}
	slices.Sort(lines)
	return "\n\nPossible enum values:\n" + strings.Join(lines, "\n")
}

// description converts a comment to a description by the conventions of Kubernetes: lines of a
// paragraph are joined, those that begin with a space are kept. What follows --- is not published, nor
// TODOs and lines that begin with +.
func description(doc string) string {
	var text strings.Builder
	// between separates a line from the one before.
	between := ""
	for line := range strings.SplitSeq(strings.TrimRight(doc, "\n"), "\n") {
		if line == "---" {
			break
		}
		line = strings.TrimRight(line, " ")
		switch leading := strings.TrimLeft(line, " "); {
		case line == "":
			between = "\n\n"
			continue
		case strings.HasPrefix(leading, "TODO"), leading[0] == '+':
			continue
		case line[0] == ' ' || line[0] == '\t':
			if between == " " {
				between = "\n"
			}
		}
		text.WriteString(between)
		text.WriteString(line)
		between = " "
		if line[0] == ' ' || line[0] == '\t' {
			between = "\n"
		}
	}
	return strings.TrimSpace(text.String())
}

// decode returns a default as kube-openapi holds it.
func decode(text string) any {
	var v any
	_ = json.Unmarshal([]byte(text), &v) // it was written as JSON
	return v
}

func isExported(t *model.Type) bool { return unicode.IsUpper([]rune(t.Name)[0]) }

func compareNames(a, b model.Name) int {
	return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Name, b.Name))
}

package project

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
)

// Read completes the settings of a command that runs in a folder. Options that are not fixed get
// their values from kindsmith.yaml, which is in the folder or the nearest one above it. Fixed are
// those of the command line. Without the file, nothing changes.
//
// Paths and patterns in the file, and the defaults of those that it omits, are relative to the
// file's folder; Read makes them relative to the command's folder.
func (s *Settings) Read(files *source.FS, dir string, fixed func(*Option) bool, bag *diag.Bag) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	root, ok := files.Above(dir, FileName)
	if !ok {
		return nil
	}
	path := filepath.Join(root, FileName)
	content, err := files.ReadFile(path)
	if err != nil {
		return err
	}
	up, err := filepath.Rel(dir, root)
	if err != nil {
		return err
	}
	r := &reader{bag: &diag.Bag{}, lost: map[string]bool{}, places: emit.Places{}}
	defer func() {
		// A mistake in another option says nothing about the webhook.
		if r.unread || slices.ContainsFunc(s.Options(), func(o Option) bool { return o.Value == &s.ConversionWebhook && r.lost[o.path()] }) {
			for _, d := range r.bag.All() {
				d.Voids(emit.Configured)
			}
		}
		bag.Append(r.bag)
	}()
	values := r.document(source.NewFile(filepath.ToSlash(filepath.Join(up, FileName)), content), s.Options())
	for _, o := range s.Options() {
		if fixed(&o) {
			continue
		}
		if v, ok := values[o.path()]; ok {
			o.set(v)
			s.place(&o, r.places[o.path()])
		}
		o.rebase(up)
	}
	return nil
}

// path returns the section and the key.
func (o *Option) path() string { return strings.TrimPrefix(o.Section+"."+o.Key(), ".") }

// set sets the option to a value of its type.
func (o *Option) set(value any) {
	switch to := o.Value.(type) {
	case *string:
		*to = value.(string)
	case *[]string:
		*to = value.([]string)
	case *bool:
		*to = value.(bool)
	case *int:
		*to = value.(int)
	case *map[string]string:
		*to = value.(map[string]string)
	}
}

// rebase makes paths that are relative to another folder relative to this one.
func (o *Option) rebase(folder string) {
	if folder == "." {
		return
	}
	switch to := o.Value.(type) {
	case *string:
		*to = o.Meaning.rebase(folder, *to)
	case *[]string:
		list := slices.Clone(*to)
		for i := range list {
			list[i] = o.Meaning.rebase(folder, list[i])
		}
		*to = list
	}
}

func (m Meaning) rebase(folder, text string) string {
	switch {
	case m == Path && text != "" && text != manifest.Stdin && !filepath.IsAbs(text):
		return filepath.Join(folder, text)
	case m == Packages && (strings.HasPrefix(text, ".") || strings.HasSuffix(text, ".go") && !filepath.IsAbs(text)):
		joined := filepath.ToSlash(filepath.Join(folder, text))
		if !strings.HasPrefix(joined, "..") {
			joined = "./" + joined
		}
		return joined
	}
	return text
}

// reader reads the text of the file.
type reader struct {
	bag    *diag.Bag
	places emit.Places
	// lost are the options, by path, whose values are not known because of a mistake. unread is set if all may be.
	lost   map[string]bool
	unread bool
}

// document returns the values of a file by their path. It reports mistakes.
func (r *reader) document(file *source.File, options []Option) map[string]any {
	values := map[string]any{}
	docs := manifest.Parse(file, r.bag)
	r.unread = r.bag.HasErrors() || len(docs) > 1
	if len(docs) == 0 {
		return values
	}
	if len(docs) > 1 {
		r.bag.Errorf(docs[1].Root.Place().Span, codeForm, "this is a second document; %s has one", FileName)
	}
	root := docs[0].Root
	root.Duplicates(func(d manifest.Duplicate) {
		r.bag.Errorf(d.Key, codeTwice, "%s is repeated; remove one", d.Path).Note(d.First, "first here")
	})
	r.mapping("", docs[0].Value, root, options, values)
	return values
}

// mapping reads the keys of a section.
func (r *reader) mapping(section string, value any, node *manifest.Node, options []Option, values map[string]any) {
	fields, ok := value.(map[string]any)
	if !ok {
		if value != nil {
			r.bag.Errorf(node.Place().Span, codeForm, "this is %s; write a mapping from keys to values", manifest.Describe(value))
			r.unread = r.unread || section == ""
		}
		return
	}
	for _, name := range node.Names() {
		child := node.Field(name)
		if section == "" && slices.ContainsFunc(options, func(o Option) bool { return o.Section == name }) {
			r.mapping(name, fields[name], child, options, values)
			continue
		}
		i := slices.IndexFunc(options, func(o Option) bool { return o.Section == section && o.Key() == name })
		if i < 0 {
			r.unknown(section, name, child, options)
			continue
		}
		v, ok := r.value(&options[i], fields[name], child)
		if ok {
			values[options[i].path()] = v
			r.places[options[i].path()] = placesOf(v, child)
		}
		r.lost[options[i].path()] = !ok
	}
}

// unknown reports a key that the section does not have, and where the file has it.
func (r *reader) unknown(section, name string, node *manifest.Node, options []Option) {
	var here, elsewhere []string
	for _, o := range options {
		switch {
		case o.Section == section:
			here = append(here, o.Key())
		case o.Key() == name || o.Name == name:
			elsewhere = append(elsewhere, o.path())
		}
		if section == "" && o.Section != "" && !slices.Contains(here, o.Section) {
			here = append(here, o.Section)
		}
	}
	in := FileName
	if section != "" {
		in = section
	}
	d := r.bag.Errorf(node.Key(), codeKey, "%s has no key %s", in, name)
	if len(elsewhere) > 0 {
		d.Message += "; did you mean " + elsewhere[0] + "?"
		r.lost[elsewhere[0]] = true
	} else if near := spell.Nearest(name, here); near != "" {
		d.Message += "; did you mean " + near + "?"
		r.lost[strings.TrimPrefix(section+"."+near, ".")] = true
	} else {
		d.Message += "; its keys are: " + strings.Join(here, ", ")
	}
}

// value returns the value of an option in its type.
func (r *reader) value(o *Option, value any, node *manifest.Node) (any, bool) {
	wrong := func(want string) (any, bool) {
		r.bag.Errorf(node.Place().Span, codeType, "%s is %s; write %s", o.Key(), manifest.Describe(value), want)
		return nil, false
	}
	switch o.Value.(type) {
	case *string:
		text, ok := value.(string)
		if n, isInt := value.(int64); isInt && n >= 0 && o.numeric() {
			text, ok = strconv.FormatInt(n, 10), true
		}
		if !ok {
			return wrong("a string")
		}
		return text, r.allowed(o, text, node)
	case *map[string]string:
		if value == nil {
			return map[string]string(nil), true
		}
		if _, ok := value.(map[string]any); !ok {
			return wrong("a mapping from codes to " + severityKey + " and " + reasonKey)
		}
		return r.lowered(value.(map[string]any), node), true
	case *bool:
		b, ok := value.(bool)
		if !ok {
			return wrong("true or false")
		}
		return b, true
	case *int:
		n, ok := value.(int64)
		if !ok || n < 0 || int64(int(n)) != n {
			return wrong("a whole number from 0")
		}
		return int(n), true
	default:
		items, ok := value.([]any)
		if !ok {
			return wrong("a list of strings")
		}
		list := []string{}
		for i, item := range items {
			text, ok := item.(string)
			if !ok {
				r.bag.Errorf(node.Item(i).Place().Span, codeType, "this is %s; write a string", manifest.Describe(item))
				return nil, false
			}
			if !r.allowed(o, text, node.Item(i)) {
				return nil, false
			}
			list = append(list, text)
		}
		return list, true
	}
}

// allowed reports a text that is none of the option's values.
func (r *reader) allowed(o *Option, text string, node *manifest.Node) bool {
	if err := o.Check(text); err != nil {
		r.bag.Errorf(node.Place().Span, codeUnknown, "%v", err)
		return false
	}
	return true
}

// placesOf returns the places of the items of a list, or that of another value.
func placesOf(value any, node *manifest.Node) []source.Span {
	items, ok := value.([]string)
	if !ok || len(items) == 0 {
		return []source.Span{node.Place().Span}
	}
	spans := make([]source.Span, len(items))
	for i := range items {
		spans[i] = node.Item(i).Place().Span
	}
	return spans
}

// place keeps where a setting is.
func (s *Settings) place(o *Option, spans []source.Span) {
	if s.places == nil {
		s.places = emit.Places{}
	}
	s.places[o.path()] = spans
}

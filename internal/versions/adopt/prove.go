package adopt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/goprogram"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/versions/convert"
)

// Proof compares the existing conversion of a kind with that of the markers, on random objects.
type Proof struct {
	Kind     *model.Type
	From, To string
	// By names the existing functions or methods, "" if there are none: API servers change only the
	// apiVersion.
	By string
	// Lacks says why there is nothing to compare with, "" if there is.
	Lacks string
	// Objects are compared; the existing functions refuse Refused of them, with an error such as Error.
	Objects, Refused int
	Error            string
	// Ended says why the existing functions ended the program, "" if they did not.
	Ended string
	// Needs are the functions of the packages that kindsmith does not run, with the number of objects
	// that are not compared for it.
	Needs map[string]int
	// Stores are the annotations that the existing functions add; they are not compared. Restores are those of them with
	// the object that was converted.
	Stores, Restores []string
	// Stored is the annotation with which objects were stored by the existing functions that this proof reads, "" if the
	// objects are any.
	Stored string
	// Differences are by path.
	Differences []*ConversionDifference
	// Kept are hand-written functions that can convert types in place of generated ones, and KeptDifferences is how many
	// paths differ then.
	Kept            []string
	KeptDifferences int

	version *Version
	way     []*step
}

// NotCompared says why no object is compared, "" if some are.
func (p *Proof) NotCompared() string {
	switch {
	case p.Lacks != "":
		return p.Lacks
	case p.Objects > 0:
		return ""
	case p.Ended != "":
		return p.Ended
	case p.Refused > 0 && len(p.Needs) == 0:
		return fmt.Sprintf("%s refuses all objects: %s", p.By, p.Error)
	}
	return strings.Join(slices.Sorted(maps.Keys(p.Needs)), "; ")
}

// Proven reports whether the conversions of the markers can replace the existing ones, with those that are kept.
func (p *Proof) Proven() bool {
	return p.Lacks != "" || p.NotCompared() == "" && len(p.Needs) == 0 && p.Ended == "" && (len(p.Differences) == 0 || len(p.Kept) > 0 && p.KeptDifferences == 0)
}

// Version returns the older version of the two.
func (p *Proof) Version() *Version { return p.version }

// ConversionDifference is a path at which conversions differ.
type ConversionDifference struct {
	Path string
	// Field is the field at the path, as Type.name of the result, "" if the types do not show it.
	Field string
	// field is the field at the path, and owners are the structs on it, from the kind; nil if the types do not show
	// them.
	field  *model.Field
	owners []*model.Type
	// code is the author's code that sets the existing value, nil if it is not known.
	code *code
	// Existing and Planned are the values in one object, "" for none.
	Existing, Planned string
	// Object is what both converted.
	Object string
	// Count is the number of objects.
	Count int
	// Always is set if the existing conversion sets one value wherever that of the markers sets none.
	Always bool
}

// Prover compares conversions.
type Prover struct {
	// Converter returns the converter of a model.
	Converter func(m *model.Model) (*convert.Converter, error)
	// Generate returns the converter of the project with files in the place of those on the disk, and the Go files that
	// generate would write then, by path; nil for those that it would remove. If it would report errors, the bag has
	// them.
	Generate func(overlay map[string][]byte, bag *diag.Bag) (c *convert.Converter, generated map[string][]byte, err error)
	// Dir is a folder of the main module, and BuildTags are those of the packages.
	Dir       string
	BuildTags []string
	// Objects is the number of objects of each kind, version and direction.
	Objects int
}

// comparing is one direction of one kind.
type comparing struct {
	*Proof
	model *model.Model
	// hub is the newest version, with the proposed markers.
	hub *model.Package
	// kind is the type of the objects, and result that of the converted ones.
	kind, result *model.Type
	gvk          schema.GroupVersionKind
	// The operations of the program; -1 if there is none.
	convert, again, target int
	// back reads what the existing functions have stored.
	back *comparing
}

// Prove compares the conversions of an adoption, with those of generated code that calls the author's functions. keep are
// the functions of older versions that convert types in place of generated ones. If the packages do not build, the error
// is a *goprogram.BuildError; if only the generated code does not, there are proofs too.
func (p *Prover) Prove(ctx context.Context, a *Adoption, keep ...string) (proofs []*Proof, err error) {
	var program program
	list, converters, err := p.comparisons(a, &program)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	r, err := program.start(ctx, p.below(a.Hub), p.BuildTags)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	var calls *convert.Converter
	build := (*goprogram.BuildError)(nil)
	if c := converters[a.Model]; c != nil && (c.Calls() || len(keep) > 0) {
		started, err := p.generated(ctx, a, keep)
		if started != nil {
			defer func() { err = errors.Join(err, started.Close()) }()
		}
		switch {
		case err == nil:
			calls = started
		case !errors.As(err, &build):
			return nil, err
		}
	}
	for _, c := range list {
		by := converters[c.version.model]
		if calls != nil && c.version.Declared {
			by = calls
		}
		err := error(nil)
		if c.Lacks == "" {
			err = p.compare(r, by, c)
		}
		if ended := (*goprogram.EndError)(nil); errors.As(err, &ended) {
			c.Ended = err.Error()
			if err = r.Close(); err == nil {
				r, err = program.start(ctx, p.below(a.Hub), p.BuildTags) // for the others
			}
		}
		if err != nil {
			return nil, err
		}
		proofs = append(proofs, c.Proof)
		if c.back.Objects+c.back.Refused > 0 {
			proofs = append(proofs, c.back.Proof)
		}
	}
	if build != nil {
		return proofs, build
	}
	return proofs, nil
}

// comparisons adds to a program the operations of all kinds of all versions that are generated. It returns what to compare,
// and the converters by model.
func (p *Prover) comparisons(a *Adoption, program *program) (list []*comparing, _ map[*model.Model]*convert.Converter, err error) {
	converters, routes := map[*model.Model]*convert.Converter{}, newRoutes(a.Family)
	for _, v := range a.Versions {
		if v.model == nil || v.model.Package(v.Path) == nil || !v.model.Package(v.Path).Generated {
			continue
		}
		if converters[v.model] == nil {
			if converters[v.model], err = p.Converter(v.model); err != nil {
				return nil, nil, err
			}
		}
		for _, kind := range both(v.Package, a.Hub) {
			list = append(list, program.ways(routes, v, a.Hub, kind)...)
		}
	}
	return list, converters, nil
}

// generated returns the converter of what generate would write from the markers, with a running program that calls
// functions; nil if generate would report errors.
func (p *Prover) generated(ctx context.Context, a *Adoption, keep []string) (*convert.Converter, error) {
	bag, files := &diag.Bag{}, a.Adopted(keep)
	c, generated, err := p.Generate(files, bag)
	if err != nil {
		return nil, err
	}
	a.Unable = nil
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			a.Unable = append(a.Unable, d)
		}
	}
	if len(a.Unable) > 0 {
		return nil, nil
	}
	maps.Copy(files, generated)
	return c, c.Start(ctx, convert.Build{Generated: files, Tags: p.BuildTags})
}

// below returns the folder in which the program can import a package.
func (p *Prover) below(hub *model.Package) string {
	if hub.External {
		return p.Dir
	}
	return filepath.Dir(hub.Dir)
}

// ways adds the operations of a kind to the program.
func (p *program) ways(r *routes, v *Version, hub *model.Package, kind *model.Type) []*comparing {
	old, own := p.pkg(v.Path)+"."+kind.Name, p.pkg(hub.Path)+"."+kind.Name
	newest := v.raw.Package(hub.Path).Type(kind.Name)
	againOld, againOwn := p.op("again[%s]", old), p.op("again[%s]", own)
	up := &comparing{
		Proof: &Proof{version: v, Kind: kind, From: v.Version, To: hub.Version, Needs: map[string]int{}}, model: v.raw, hub: v.raw.Package(hub.Path), kind: kind, result: newest,
		gvk: schema.GroupVersionKind{Group: hub.Group, Version: v.Version, Kind: kind.Name}, convert: -1, again: againOld, target: againOwn,
	}
	down := &comparing{
		Proof: &Proof{version: v, Kind: kind, From: hub.Version, To: v.Version, Needs: map[string]int{}}, model: v.raw, hub: v.raw.Package(hub.Path), kind: newest, result: kind,
		gvk: schema.GroupVersionKind{Group: hub.Group, Version: hub.Version, Kind: kind.Name}, convert: -1, again: againOwn, target: againOld,
	}
	for _, c := range []*comparing{up, down} {
		from, to := v.Package, hub
		if c == down {
			from, to = to, from
		}
		way, converts := r.find(kind.Name, from, to)
		switch c.way = way; {
		case way != nil:
			c.By, c.convert = namesOf(way), p.convert(kind.Name, way)
		case converts:
			c.Lacks = "no function converts it in this direction"
		}
	}
	for _, c := range [][2]*comparing{{up, down}, {down, up}} {
		back := *c[1]
		back.Proof = &Proof{version: v, Kind: kind, From: c[1].From, To: c[1].To, By: c[1].By, way: c[1].way, Needs: map[string]int{}}
		c[0].back = &back
	}
	return []*comparing{up, down}
}

// compare converts objects in both ways.
func (p *Prover) compare(r *runner, c *convert.Converter, of *comparing) error {
	found, read := map[string]*ConversionDifference{}, map[string]*ConversionDifference{}
	stores := map[string]bool{} // whether all have the object
	for seed := range p.Objects {
		g := &generator{Rand: rand.New(rand.NewPCG(uint64(seed), 0)), model: of.model}
		text, err := json.Marshal(g.object(of.kind))
		if err != nil {
			return err
		}
		op := of.convert
		if op < 0 {
			op = of.again
		}
		a, err := r.do(op, text)
		if err != nil {
			return err
		}
		if a.Error != "" {
			of.Refused++
			of.Error = a.Error
			continue
		}
		for key, whole := range stored(decode(a.In), decode(a.Out)) {
			was, known := stores[key]
			stores[key] = whole && (was || !known)
			if of.convert >= 0 && restores(of.hub, key) {
				if of.back.Stored = key; of.back.convert >= 0 {
					if err := of.back.one(r, c, a.Out, read); err != nil {
						return err
					}
				}
			}
		}
		if err := of.planned(r, c, a, found); err != nil {
			return err
		}
	}
	of.Stores = slices.Sorted(maps.Keys(stores))
	of.Restores = slices.DeleteFunc(slices.Clone(of.Stores), func(key string) bool { return !stores[key] })
	of.list(found)
	of.back.list(read)
	return nil
}

// one converts an object in both ways.
func (c *comparing) one(r *runner, by *convert.Converter, object []byte, found map[string]*ConversionDifference) error {
	a, err := r.do(c.convert, object)
	if err != nil {
		return err
	}
	if a.Error != "" {
		c.Refused++
		c.Error = a.Error
		return nil
	}
	return c.planned(r, by, a, found)
}

// planned compares what the existing conversion makes of an object with what the markers do.
func (c *comparing) planned(r *runner, by *convert.Converter, a answer, found map[string]*ConversionDifference) error {
	existing, in := decode(a.Out), decode(a.In)
	object := maps.Clone(in)
	object["apiVersion"], object["kind"] = c.gvk.GroupVersion().String(), c.gvk.Kind
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	planned, needs, err := by.Object(text, c.gvk, c.To)
	switch {
	case needs != nil:
		c.Needs[needs.Error()]++
		return nil
	case err != nil:
		c.Needs[err.Error()]++
		return nil
	}
	b, err := r.do(c.target, planned)
	if err != nil {
		return err
	}
	c.Objects++
	if b.Error != "" {
		c.note(found, unequal{existing: string(a.Out), planned: b.Error}, text)
		return nil
	}
	if c.convert < 0 {
		// API servers drop what the other version does not have.
		if a, err = r.do(c.target, text); err != nil {
			return err
		}
		if existing = decode(a.Out); a.Error != "" {
			c.note(found, unequal{existing: a.Error, planned: string(planned)}, text)
			return nil
		}
	}
	want := decode(b.Out)
	strip(existing, in)
	strip(want, in)
	for _, d := range differences("", existing, want) {
		c.note(found, d, text)
	}
	return nil
}

// list keeps the differences, by path.
func (c *comparing) list(found map[string]*ConversionDifference) {
	for _, path := range slices.Sorted(maps.Keys(found)) {
		c.Differences = append(c.Differences, found[path])
	}
}

// note adds a difference in an object. Those of one field of one type are one.
func (c *comparing) note(found map[string]*ConversionDifference, u unequal, object []byte) {
	key, owners, f := c.field(u.path)
	d := found[key]
	if d == nil {
		field := ""
		if f != nil {
			field = owners[len(owners)-1].Name + "." + f.JSON
		}
		d = &ConversionDifference{Path: u.path, Field: field, field: f, owners: owners, Existing: u.existing, Planned: u.planned, Object: string(object), Always: u.planned == ""}
		found[key] = d
	}
	d.Count++
	d.Always = d.Always && u.planned == "" && u.existing == d.Existing
	if len(object) < len(d.Object) {
		d.Path, d.Existing, d.Planned, d.Object = u.path, u.existing, u.planned, string(object)
	}
}

// field returns a key for the type and the field at a path of the converted object, the structs on the path, and the
// field. If the types do not show them, the key is the path.
func (c *comparing) field(path string) (key string, owners []*model.Type, field *model.Field) {
	t := c.result
	for segment := range strings.SplitSeq(path, ".") {
		if t == nil {
			return path, nil, nil
		}
		owner, f := c.model.FieldByJSON(t, strings.TrimRight(segment, "[]"))
		if f == nil {
			return path, nil, nil
		}
		owners, field = append(owners, owner), f
		key = owner.Package + "." + owner.Name + "." + segment
		t = c.model.Struct(items(f.Type))
		if t == nil {
			t = c.model.Struct(items(c.model.Underlying(f.Type)))
		}
	}
	return key, owners, field
}

// Defaults returns the values that existing conversions give fields of the newest version that the markers
// leave out, by Type.name.
func Defaults(proofs []*Proof, hub string) map[string]string {
	found := map[string]string{}
	for _, p := range proofs {
		for _, d := range p.Differences {
			if p.To == hub && p.By != "" && p.Stored == "" && d.Always && d.Field != "" && d.Existing != "" {
				found[d.Field] = d.Existing
			}
		}
	}
	return found
}

// restorable returns the annotations in which the existing conversions store whole objects.
func restorable(proofs []*Proof) []string {
	found := map[string]bool{}
	for _, p := range proofs {
		for _, key := range p.Restores {
			found[key] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// unlike counts the paths that differ.
func unlike(proofs []*Proof) int {
	n := 0
	for _, p := range proofs {
		if p.Stored == "" {
			n += len(p.Differences)
		}
	}
	return n
}

// AdoptAndProve proposes markers, and compares conversions. Fields to which the existing conversions give one
// value get it as default. If the packages do not compile, the error is a *goprogram.BuildError, and the adoption is
// still valid.
func (p *Prover) AdoptAndProve(ctx context.Context, c Config, f *Family) (*Adoption, []*Proof, error) {
	a, err := c.Adopt(f)
	if err != nil || p.Objects == 0 {
		return a, nil, err
	}
	proofs, err := p.Prove(ctx, a)
	if err != nil {
		return a, proofs, err
	}
	c.Defaults, c.Restores = Defaults(proofs, f.Hub.Version), restorable(proofs)
	for len(c.Defaults)+len(c.Restores) > 0 {
		b, err := c.Adopt(f)
		if err != nil {
			return nil, nil, err
		}
		better, err := p.Prove(ctx, b)
		if err != nil {
			return a, proofs, err
		}
		if len(c.Defaults) == 0 || unlike(better) < unlike(proofs) {
			a, proofs = b, better
			break
		}
		c.Defaults = nil
	}
	return a, proofs, p.keep(ctx, a, proofs)
}

func decode(text []byte) map[string]any {
	var object map[string]any
	if json.Unmarshal(text, &object) != nil || object == nil {
		return map[string]any{}
	}
	return object
}

// annotations returns the annotations of an object.
func annotations(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	list, _ := metadata["annotations"].(map[string]any)
	return list
}

// stored returns the annotations that a conversion has added, and whether they have the object that was converted.
func stored(in, out map[string]any) map[string]bool {
	added := map[string]bool{}
	for key, value := range annotations(out) {
		if _, ok := annotations(in)[key]; !ok {
			text, _ := value.(string)
			added[key] = reflect.DeepEqual(content(decode([]byte(text))), content(in))
		}
	}
	return added
}

// content returns an object without its metadata and its version.
func content(object map[string]any) map[string]any {
	object = maps.Clone(object)
	for _, key := range []string{"apiVersion", "kind", "metadata"} {
		delete(object, key)
	}
	return object
}

// strip removes what need not be equal: the version, and what is stored for the way back.
func strip(object, in map[string]any) {
	delete(object, "apiVersion")
	delete(object, "kind")
	list := annotations(object)
	for key := range stored(in, object) {
		delete(list, key)
	}
	if metadata, ok := object["metadata"].(map[string]any); ok && len(list) == 0 {
		delete(metadata, "annotations")
	}
	if status, ok := object["status"].(map[string]any); ok {
		if delete(status, "changedValues"); len(status) == 0 {
			delete(object, "status")
		}
	}
}

// unequal are values at one path.
type unequal struct{ path, existing, planned string }

// differences returns the paths at which two values differ, "" for absent ones.
func differences(path string, existing, planned any) []unequal {
	switch x := existing.(type) {
	case map[string]any:
		if y, ok := planned.(map[string]any); ok {
			keys := maps.Clone(x)
			maps.Copy(keys, y)
			var list []unequal
			for _, key := range slices.Sorted(maps.Keys(keys)) {
				below := path + "." + key
				if strings.HasPrefix(key, mapKey) {
					below = path + "[]"
				}
				list = append(list, differences(strings.TrimPrefix(below, "."), x[key], y[key])...)
			}
			return list
		}
	case []any:
		if y, ok := planned.([]any); ok && len(x) == len(y) {
			var list []unequal
			for i := range x {
				list = append(list, differences(path+"[]", x[i], y[i])...)
			}
			return list
		}
	}
	if reflect.DeepEqual(existing, planned) {
		return nil
	}
	return []unequal{{path, shown(existing), shown(planned)}}
}

func shown(value any) string {
	if value == nil {
		return ""
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

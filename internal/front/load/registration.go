package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"path"
	"regexp"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
)

var (
	groupMarker    = regexp.MustCompile(`(?m)^[ \t]*//[ \t]*\+` + foreign.GroupName + `=([^\s#]*)`)
	registerMarker = regexp.MustCompile(`(?m)^[ \t]*//[ \t]*\+` + foreign.RegisterGen + `\b`)
)

// What each text has that the expressions above match. Few files of dependencies have it, and to search for it is cheap.
var (
	groupMarkerPart    = []byte("+" + foreign.GroupName + "=")
	registerMarkerPart = []byte("+" + foreign.RegisterGen)
	groupNamePart      = []byte(gofile.GroupName)
)

// registration is what the hand-written files of a package say about its registration.
type registration struct {
	// group is the API group; known is set if a marker gives it. asked is set by register-gen's marker.
	group        string
	known, asked bool
	// names is set if a file mentions gofile.GroupName.
	names bool
}

// add adds what a later file says.
func (r *registration) add(other registration) {
	if other.known {
		r.group, r.known = other.group, true
	}
	r.asked = r.asked || other.asked
	r.names = r.names || other.names
}

// read notes what a hand-written file says.
func (r *registration) read(content []byte) {
	if bytes.Contains(content, groupMarkerPart) {
		if m := groupMarker.FindSubmatch(content); m != nil {
			r.group, r.known = string(m[1]), true
		}
	}
	r.asked = r.asked || bytes.Contains(content, registerMarkerPart) && registerMarker.Match(content)
	r.names = r.names || hasWord(content, groupNamePart)
}

// hasWord reports whether a text has an identifier. A regular expression takes a hundred times longer.
func hasWord(content, word []byte) bool {
	for at := 0; ; at += len(word) {
		i := bytes.Index(content[at:], word)
		if i < 0 {
			return false
		}
		at += i
		end := at + len(word)
		if (at == 0 || !isWord(content[at-1])) && (end == len(content) || !isWord(content[end])) {
			return true
		}
	}
}

func isWord(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// NamesGroup reports whether hand-written code mentions the constant gofile.GroupName.
func (p *Package) NamesGroup() bool { return p.registration.names }

// pendingGroup returns a file with the constant gofile.GroupName, which the generated registration of
// the package declares. It is nil if the package gets no such file, or if one of its files declares
// the constant: constants are type-checked from source, so that their values are known before the
// file is first written.
func (r *Result) pendingGroup(p *Package) *ast.File {
	reg := p.registration
	byHand := p.Decls["AddToScheme"] && (p.Decls["GroupVersion"] || p.Decls["SchemeGroupVersion"])
	if !reg.known && !reg.asked || byHand || p.declares(gofile.GroupName) {
		return nil
	}
	group := reg.group
	if !reg.known {
		group = path.Base(path.Dir(p.Path))
	}
	file, err := parser.ParseFile(r.fset, "", "package "+p.Name+"\n\nconst "+gofile.GroupName+" = "+strconv.Quote(group)+"\n", parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	return file
}

// declares reports whether a file of the package, hand-written or generated, declares a name.
func (p *Package) declares(name string) bool {
	if p.Decls[name] || p.pruned[name] {
		return true
	}
	for _, f := range p.Files {
		for _, decl := range f.Syntax.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.Name == name {
						return true
					}
				case *ast.ValueSpec:
					for _, ident := range spec.Names {
						if ident.Name == name {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

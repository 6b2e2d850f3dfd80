package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/zip"
)

// A Package is a published module at a version, as the go command downloads it.
type Package struct {
	*Module
	Version string
	// GoMod and GoSum are the files of the module, which name the same version of the others.
	GoMod, GoSum []byte
	// Zip is the archive.
	Zip []byte
	// sums are the lines of go.sum for this module.
	sums string
}

// Pack returns the published modules at a version, from the files on disk, each after those that it
// requires. The files go.sum have the sums of the others, which exist before anybody has published them:
// the archives are the same for everyone.
func (r *Repo) Pack(version string) ([]*Package, error) {
	var packages []*Package
	for _, m := range r.Order() {
		p := &Package{Module: m, Version: version}
		var err error
		if p.GoMod, err = requireAt(m.Mod, version, func(path string) bool { return r.byPath[path] != nil }); err != nil {
			return nil, err
		}
		old, err := os.ReadFile(r.path(path.Join(m.Dir, "go.sum")))
		if err != nil {
			return nil, err
		}
		var sums strings.Builder
		for _, other := range m.requires(r) {
			if i := slices.IndexFunc(packages, func(p *Package) bool { return p.Module == other }); i >= 0 {
				sums.WriteString(packages[i].sums)
			}
		}
		p.GoSum = mergeSums(r.foreignSums(old), sums.String())
		if err := p.zip(r); err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	return packages, nil
}

// requireAt returns a go.mod file that requires the modules of the repository at a version.
func requireAt(mod *modfile.File, version string, ours func(path string) bool) ([]byte, error) {
	before, err := mod.Format()
	if err != nil {
		return nil, err
	}
	changed, err := modfile.Parse("go.mod", before, nil)
	if err != nil {
		return nil, err
	}
	for _, req := range changed.Require {
		if ours(req.Mod.Path) {
			if err := changed.AddRequire(req.Mod.Path, version); err != nil {
				return nil, err
			}
		}
	}
	return changed.Format()
}

// foreignSums returns the lines of a go.sum file about modules of others.
func (r *Repo) foreignSums(sums []byte) string {
	var b strings.Builder
	for line := range strings.Lines(string(sums)) {
		if name, _, _ := strings.Cut(line, " "); r.byPath[name] == nil {
			b.WriteString(line)
		}
	}
	return b.String()
}

// mergeSums returns the lines of go.sum files in the order of the go command.
func mergeSums(all ...string) []byte {
	lines := map[module.Version]string{}
	for _, sums := range all {
		for line := range strings.Lines(sums) {
			if f := strings.Fields(line); len(f) == 3 {
				lines[module.Version{Path: f[0], Version: f[1]}] = line
			}
		}
	}
	order := slices.Collect(maps.Keys(lines))
	module.Sort(order)
	var b bytes.Buffer
	for _, version := range order {
		b.WriteString(lines[version])
	}
	return b.Bytes()
}

// zip makes the archive and its sums.
func (p *Package) zip(r *Repo) error {
	pattern := p.Dir
	names, err := r.files(pattern)
	if err != nil {
		return err
	}
	var files []zip.File
	for _, name := range names {
		inside := name
		if p.Dir != "." {
			inside = strings.TrimPrefix(name, p.Dir+"/")
		}
		files = append(files, file{name: inside, disk: r.path(name)})
	}
	files = slices.DeleteFunc(files, func(f zip.File) bool { return f.Path() == "go.mod" || f.Path() == "go.sum" })
	files = append(files, file{name: "go.mod", content: p.GoMod}, file{name: "go.sum", content: p.GoSum})
	if !slices.ContainsFunc(files, func(f zip.File) bool { return f.Path() == "LICENSE" }) {
		files = append(files, file{name: "LICENSE", disk: r.path("LICENSE")}) // like the go command
	}
	version := module.Version{Path: p.Path(), Version: p.Version}
	var archive bytes.Buffer
	if err := zip.Create(&archive, version, files); err != nil {
		return fmt.Errorf("%s: %w", p.Dir, err)
	}
	p.Zip = archive.Bytes()
	sum, err := hashZip(p.Zip)
	if err != nil {
		return err
	}
	modSum, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(p.GoMod)), nil
	})
	p.sums = fmt.Sprintf("%s %s %s\n%[1]s %[2]s/go.mod %[4]s\n", p.Path(), p.Version, sum, modSum)
	return err
}

// hashZip returns the sum of an archive. The library reads archives only from disk.
func hashZip(archive []byte) (string, error) {
	f, err := os.CreateTemp("", "module*.zip")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(archive)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return "", err
	}
	return dirhash.HashZip(f.Name(), dirhash.Hash1)
}

// file is a file of an archive: one on disk, or its content.
type file struct {
	name, disk string
	content    []byte
}

func (f file) Path() string { return f.name }

func (f file) Lstat() (fs.FileInfo, error) {
	if f.disk != "" {
		return os.Lstat(f.disk)
	}
	return info{f}, nil
}

func (f file) Open() (io.ReadCloser, error) {
	if f.disk != "" {
		return os.Open(f.disk)
	}
	return io.NopCloser(bytes.NewReader(f.content)), nil
}

// info describes a file with content.
type info struct{ file }

func (i info) Name() string     { return path.Base(i.name) }
func (i info) Size() int64      { return int64(len(i.content)) }
func (info) Mode() fs.FileMode  { return 0o644 }
func (info) ModTime() time.Time { return released }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }

// released is the time in the archives of rehearsals, which have no release.
var released = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)

// Rehearsal returns a version for the files on disk. Other files have another version, because the go
// command keeps what it downloads, and assumes that a version never changes.
func (r *Repo) Rehearsal() (string, error) {
	sum := sha256.New()
	for _, m := range r.Order() {
		names, err := r.files(m.Dir)
		if err != nil {
			return "", err
		}
		for _, name := range names {
			content, err := os.ReadFile(r.path(name))
			if err != nil {
				continue // a link to a folder: not in the archive
			}
			fmt.Fprintf(sum, "%s %d\n", name, len(content))
			_, _ = sum.Write(content)
		}
	}
	return "v0.0.1-rehearsal.h" + hex.EncodeToString(sum.Sum(nil))[:12], nil
}

// WriteProxy writes packages to a folder that the go command reads with GOPROXY=file://….
func WriteProxy(dir string, packages []*Package) error {
	for _, p := range packages {
		escaped, err := module.EscapePath(p.Path())
		if err != nil {
			return err
		}
		about, err := json.Marshal(map[string]any{"Version": p.Version, "Time": released})
		if err != nil {
			return err
		}
		base := filepath.Join(dir, filepath.FromSlash(escaped))
		if err := os.MkdirAll(filepath.Join(base, "@v"), 0o755); err != nil {
			return err
		}
		for name, content := range map[string][]byte{
			"@latest":                   about,
			"@v/list":                   []byte(p.Version + "\n"),
			"@v/" + p.Version + ".info": about,
			"@v/" + p.Version + ".mod":  p.GoMod,
			"@v/" + p.Version + ".zip":  p.Zip,
		} {
			if err := os.WriteFile(filepath.Join(base, filepath.FromSlash(name)), content, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

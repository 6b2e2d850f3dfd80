// Modules knows which modules of this repository are published, and works on them:
//
//	modules list GROUP             print the folders of a group
//	modules each GROUP COMMAND...  run a command in the folder of each module
//	modules check                  check what users of the published modules depend on
//	modules tidy [MODULE...]       run go mod tidy on modules, by default all
//	modules modfile MODULE FILE    write a go.mod file of a module for go -modfile, with the other modules on disk
//	modules proxy DIR              write the published modules as a module proxy; print their version
//	modules release VERSION        commit and tag a release
//	modules notes VERSION          print what the changelog says of a release
//
// Published modules require each other at the version of a release and have no replace lines, so that
// users can install them. For developers go.work selects the folders.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"
)

const usage = `usage:
  modules list GROUP             print the folders of a group
  modules each GROUP COMMAND...  run a command in the folder of each module
  modules check                  check what users of the published modules depend on
  modules tidy [MODULE...]       run go mod tidy on modules, by default all
  modules modfile MODULE FILE    write a go.mod file of a module for go -modfile, with the other modules on disk
  modules proxy DIR              write the published modules as a module proxy; print their version
  modules release VERSION        commit and tag a release
  modules notes VERSION          print what the changelog says of a release
groups: all, examples, floor, libraries, programs, published, workspace`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "modules:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	r, err := Open(".")
	if err != nil {
		return err
	}
	switch {
	case len(args) == 2 && args[0] == "list":
		return list(r, args[1])
	case len(args) > 2 && args[0] == "each":
		return each(r, args[1], args[2:])
	case len(args) == 1 && args[0] == "check":
		return r.Check()
	case len(args) > 0 && args[0] == "tidy":
		return tidy(r, args[1:])
	case len(args) == 3 && args[0] == "modfile":
		return writeModfile(r, args[1], args[2])
	case len(args) == 2 && args[0] == "proxy":
		return proxy(r, args[1])
	case len(args) == 2 && args[0] == "release":
		return release(r, args[1])
	case len(args) == 2 && args[0] == "notes":
		return notes(r, args[1])
	}
	return errors.New(usage)
}

func list(r *Repo, group string) error {
	modules, err := r.Group(group)
	for _, m := range modules {
		fmt.Println(m.Dir)
	}
	return err
}

// each runs a command in all folders of a group, also after it fails in one.
func each(r *Repo, group string, command []string) error {
	modules, err := r.Group(group)
	if err != nil {
		return err
	}
	var failed []string
	for _, m := range modules {
		fmt.Printf("%s: %s\n", m.Dir, strings.Join(command, " "))
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = r.path(m.Dir), os.Stdin, os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			failed = append(failed, m.Dir)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%s failed in %s", strings.Join(command, " "), strings.Join(failed, ", "))
	}
	return nil
}

// tidy tidies modules by their folders; all if there are none. A module that is raised may raise others, so tidy goes on until
// none is behind.
func tidy(r *Repo, dirs []string) error {
	left := slices.DeleteFunc(slices.Clone(r.Modules), func(m *Module) bool { return len(dirs) > 0 && !slices.Contains(dirs, m.Dir) })
	all := left
	for len(left) > 0 {
		for _, m := range left {
			fmt.Println("tidy", m.Dir)
			if err := r.Tidy(m); err != nil {
				return err
			}
		}
		left = slices.DeleteFunc(slices.Clone(all), func(m *Module) bool { return len(r.behind(m)) == 0 })
	}
	return nil
}

// writeModfile writes go.mod, and go.sum beside it.
func writeModfile(r *Repo, dir, name string) error {
	i := slices.IndexFunc(r.Modules, func(m *Module) bool { return m.Dir == path.Clean(dir) })
	if i < 0 {
		return fmt.Errorf("there is no module %q; modules list all prints their folders", dir)
	}
	_, err := r.localModfile(r.Modules[i], name)
	return err
}

func proxy(r *Repo, dir string) error {
	version, err := r.Rehearsal()
	if err != nil {
		return err
	}
	packages, err := r.Pack(version)
	if err != nil {
		return err
	}
	if err := WriteProxy(dir, packages); err != nil {
		return err
	}
	fmt.Println(version)
	return nil
}

func release(r *Repo, version string) error {
	if err := r.Release(version, time.Now()); err != nil {
		return err
	}
	modules, err := r.Group("published")
	if err != nil {
		return err
	}
	var tags []string
	for _, m := range modules {
		tags = append(tags, m.Tag(version))
	}
	fmt.Printf("committed and tagged %s; nothing is pushed. Run make test, then publish the branch with its tags:\n  git push --atomic origin HEAD %s\n", version, strings.Join(tags, " "))
	return nil
}

func notes(r *Repo, version string) error {
	text, err := os.ReadFile(r.path(changelog))
	if err != nil {
		return err
	}
	section, err := notesOf(text, version)
	fmt.Print(section)
	return err
}

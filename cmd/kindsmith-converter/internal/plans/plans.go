// Package plans reads the plans of conversions from a folder, and reads them again when they change.
//
// [Read] returns the conversions of a folder, or all mistakes in it. [Follow] calls a function for each change.
package plans

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/webhook/server"
)

// Sum identifies the content of a folder.
type Sum [sha256.Size]byte

// Read returns the conversions of the plans in a folder, which are its files *.json. An error has all mistakes. The
// sum is that of what was read, also with an error.
func Read(dir string) ([]server.Conversion, Sum, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, Sum{}, err
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, Sum{}, err
	}
	hash := sha256.New()
	var all []server.Conversion
	var errs []error
	if len(names) == 0 {
		errs = append(errs, fmt.Errorf("%s: there is no plan: write one with kindsmith model --tables ./api/... > %s", dir, filepath.Join(dir, "plan.json")))
	}
	files := map[string]string{} // by group and kind
	for _, name := range names {
		text, err := os.ReadFile(name)
		fmt.Fprintf(hash, "%s %d %v\n", name, len(text), err)
		_, _ = hash.Write(text)
		conversions, mistakes := parse(text)
		if err != nil {
			conversions, mistakes = nil, []error{err}
		}
		for _, c := range conversions {
			for _, kind := range c.Kinds {
				of := kind + "." + c.Group
				if other := files[of]; other != "" {
					mistakes = append(mistakes, fmt.Errorf("the kind %s of %s is in %s too; keep one plan of it", kind, c.Group, filepath.Base(other)))
				}
				files[of] = name
			}
		}
		for _, mistake := range mistakes {
			errs = append(errs, fmt.Errorf("%s: %w", name, mistake))
		}
		all = append(all, conversions...)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, Sum(hash.Sum(nil)), err
	}
	return all, Sum(hash.Sum(nil)), nil
}

// parse returns the conversions of a plan, and all mistakes.
func parse(text []byte) (all []server.Conversion, errs []error) {
	file, err := jsonconvert.ReadFile(text)
	if err != nil {
		return nil, []error{err}
	}
	if !slices.ContainsFunc(file.APIs, func(api *jsonconvert.API) bool { return len(api.Steps) > 0 }) {
		errs = append(errs, errors.New("the plan converts nothing: its API has one version"))
	}
	for _, api := range file.APIs {
		if names := api.Functions(); len(names) > 0 {
			errs = append(errs, fmt.Errorf("%s: only Go code converts it: the plan calls %s; serve it from a manager", api.Group, strings.Join(names, ", ")))
			continue
		}
		converter, err := jsonconvert.New(api)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", api.Group, err))
			continue
		}
		all = append(all, server.Conversion{Group: api.Group, Kinds: kinds(api), Converter: converter})
	}
	return all, errs
}

// kinds returns the kinds of an API. API servers convert the items of lists, so lists have no definitions.
func kinds(api *jsonconvert.API) (names []string) {
	for _, k := range api.Kinds {
		if k.Item == "" {
			names = append(names, k.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Follow calls a function with the plans of a folder each time that they change from what has a sum, until the
// context is done. Plans with mistakes are logged once, and the earlier ones stay. It reads files instead of waiting
// for events, because volumes of ConfigMaps have none that all systems agree on.
func Follow(ctx context.Context, dir string, sum Sum, every time.Duration, log *slog.Logger, use func([]server.Conversion) error) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		all, now, err := Read(dir)
		if now == sum {
			continue
		}
		sum = now
		if err == nil {
			err = use(all)
		}
		if err != nil {
			log.Error("The plans have mistakes; the earlier plans stay", "error", err.Error())
			continue
		}
		log.Info("The plans changed", "conversions", len(all))
	}
}

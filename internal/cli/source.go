package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/rule"
)

// sourceFlags are the flags that generate and lint share: what is read, and as what.
type sourceFlags struct{ level string }

// add adds the flags.
func (f *sourceFlags) add(flags *pflag.FlagSet, config *driver.Config) {
	flags.StringSliceVar(&config.Projection.Options, "enable-options", nil, "publish schemas for API servers with these `options` of +k8s:ifEnabled and +k8s:ifDisabled enabled, and all others disabled")
	flags.StringVar(&f.level, "level", "beta", "publish rules of this stability `level` or higher: alpha, beta or stable")
	flags.StringSliceVar(&config.ReadOnly, "readonly-pkg", nil, "call the existing validators of these `packages` for types of other packages")
	flags.StringSliceVar(&config.BuildTags, "tags", nil, "build tags to load the packages with")
}

// levels are the values of --level.
var levels = map[string]rule.Level{"alpha": rule.Alpha, "beta": rule.Beta, "stable": rule.Stable}

// set copies the flags that are not values of the configuration to it.
func (f *sourceFlags) set(config *driver.Config) error {
	var ok bool
	if config.Projection.Level, ok = levels[f.level]; !ok {
		return usageError{fmt.Errorf("unknown level %q; the levels are: alpha, beta, stable", f.level)}
	}
	return nil
}

package coverage

import (
	"flag"
	"fmt"
	"io"
	"os"
)

// exceptionsFile is the file of exceptions, relative to the folder of the package.
const exceptionsFile = "testdata/validation-coverage.yaml"

// Run runs all tests of a package and then checks that they broke every rule. It
// returns the exit code, for
//
//	func TestMain(m *testing.M) { os.Exit(ValidationCoverage.Run(m)) }
//
// It checks nothing if tests failed or if flags such as -run select tests.
func (c *Coverage) Run(m interface{ Run() int }) int {
	code := m.Run()
	if code != 0 || partial(flag.CommandLine) {
		return code
	}
	return c.report(os.Stderr, exceptionsFile)
}

// report writes the problems and returns the exit code.
func (c *Coverage) report(w io.Writer, exceptions string) int {
	list, err := readExceptions(exceptions)
	if err != nil {
		_, _ = fmt.Fprintln(w, "validation coverage:", err)
		return 1
	}
	problems := c.check(list)
	for _, p := range problems {
		_, _ = fmt.Fprintln(w, "validation coverage:", p)
	}
	if len(problems) == 0 {
		return 0
	}
	_, _ = fmt.Fprintf(w, "validation coverage: break the rules in tests, or list them with a reason in %s\n", exceptions)
	return 1
}

// partial reports whether the flags of a test binary exclude tests.
func partial(flags *flag.FlagSet) bool {
	for name, all := range map[string]string{
		"test.run": "", "test.skip": "", "test.list": "", "test.fuzz": "", "test.short": "false", "test.fuzzworker": "false",
	} {
		if f := flags.Lookup(name); f != nil && f.Value.String() != all {
			return true
		}
	}
	return false
}

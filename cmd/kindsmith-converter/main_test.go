package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"strings"
	"testing"
)

// TestFlags has flags with mistakes, all of which are reported.
func TestFlags(t *testing.T) {
	for args, want := range map[string][]string{
		"":                  {"--plans is missing", "set one of --cert-dir and --ca-secret"},
		"--cert-dir=a more": {"--plans is missing", `besides flags: ["more"]`},
		"--plans=a --ca-secret=b --cert-dir=c --offline": {"set one of", "drop --offline"},
		"--print-ca-bundle --cert-dir=a":                 {"--print-ca-bundle needs --ca-secret"},
		"--plans=testdata/no --cert-dir=a --offline":     {"testdata/no"},
	} {
		err := run(context.Background(), strings.Fields(args), &bytes.Buffer{}, &bytes.Buffer{})
		for _, want := range want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v lacks %q", args, err, want)
			}
		}
	}
	var stderr bytes.Buffer
	if err := run(context.Background(), []string{"--plan=a"}, &bytes.Buffer{}, &stderr); !errors.Is(err, errUsage) || !strings.Contains(stderr.String(), "-plan") {
		t.Error(err, stderr.String())
	}
	if err := run(context.Background(), []string{"--help"}, &bytes.Buffer{}, &stderr); !errors.Is(err, flag.ErrHelp) {
		t.Error(err)
	}
}

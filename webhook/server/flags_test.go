package server

import (
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/client-go/rest"
)

func TestFlags(t *testing.T) {
	for name, test := range map[string]struct {
		args string
		env  map[string]string
		want Options
		err  string
	}{
		"files":   {args: "--webhook-cert-path=/certs --webhook-bind-address=:8443", want: Options{Address: ":8443", Certificates: Files{Dir: "/certs"}}},
		"nothing": {err: "set one of --webhook-cert-path and --webhook-ca-secret"},
		"both":    {args: "--webhook-cert-path=/certs --webhook-ca-secret=ca", err: "set one of"},
		"an authority": {
			args: "--webhook-ca-secret=ca --webhook-service=hooks --webhook-host=h --mutating-webhook-configuration=m --validating-webhook-configuration=v --validating-webhook-configuration=w",
			env:  map[string]string{"POD_NAMESPACE": "shop"},
			want: Options{Address: ":9443", Certificates: &SelfManaged{Namespace: "shop", Secret: "ca", Service: "hooks", Hosts: []string{"h"}, MutatingWebhooks: []string{"m"}, ValidatingWebhooks: []string{"v", "w"}}},
		},
		"an incomplete authority": {args: "--webhook-ca-secret=ca", err: "needs --webhook-service\n--webhook-ca-secret needs --webhook-namespace"},
		"the environment": {
			env:  map[string]string{PortEnv: "1", CertDirEnv: "/tmp/certs"},
			want: Options{Address: ":1", Certificates: Files{Dir: "/tmp/certs"}},
		},
		"flags win": {
			env: map[string]string{CertDirEnv: "/tmp/certs"}, args: "--webhook-ca-secret=ca --webhook-service=s --webhook-namespace=n",
			want: Options{Address: ":9443", Certificates: &SelfManaged{Namespace: "n", Secret: "ca", Service: "s"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("POD_NAMESPACE", "")
			for key, value := range test.env {
				t.Setenv(key, value)
			}
			var flags Flags
			fs := flag.NewFlagSet("manager", flag.ContinueOnError)
			fs.SetOutput(io.Discard)
			flags.BindFlags(fs)
			if err := fs.Parse(strings.Fields(test.args)); err != nil {
				t.Fatal(err)
			}
			config := &rest.Config{Host: "https://api"}
			got, err := flags.Options(config)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("the error is %v", err)
				}
				return
			}
			if err != nil || got.Config != config {
				t.Fatal(err)
			}
			got.Config = nil
			if diff := cmp.Diff(test.want, got, cmpopts.IgnoreUnexported(SelfManaged{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

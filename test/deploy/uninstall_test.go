package deploy

import (
	"io"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/kube"
	kubefake "helm.sh/helm/v3/pkg/kube/fake"
	"helm.sh/helm/v3/pkg/storage"
	"helm.sh/helm/v3/pkg/storage/driver"
)

// recorder is a cluster that remembers which manifests Helm had last.
type recorder struct {
	kubefake.PrintingKubeClient
	last string
}

func (r *recorder) Build(manifests io.Reader, validate bool) (kube.ResourceList, error) {
	text, err := io.ReadAll(manifests)
	if err != nil {
		return nil, err
	}
	r.last = string(text)
	return r.PrintingKubeClient.Build(strings.NewReader(r.last), validate)
}

// TestUninstall installs and uninstalls the chart with Helm's own code: it deletes all but the definitions, which it keeps
// unless a value says otherwise.
func TestUninstall(t *testing.T) {
	for _, test := range []struct {
		crds object
		kept int
	}{{object{}, 2}, {object{"keep": false}, 0}} {
		cluster := &recorder{PrintingKubeClient: kubefake.PrintingKubeClient{Out: io.Discard, LogOutput: io.Discard}}
		helm := &action.Configuration{Releases: storage.Init(driver.NewMemory()), KubeClient: cluster, Capabilities: chartutil.DefaultCapabilities, Log: t.Logf}
		chart, err := loader.Load(example + "/charts/site")
		if err != nil {
			t.Fatal(err)
		}
		install := action.NewInstall(helm)
		install.ReleaseName, install.Namespace = "site", namespace
		release, err := install.Run(chart, object{"crds": test.crds})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := action.NewUninstall(helm).Run("site")
		if err != nil {
			t.Fatal(err)
		}
		deleted := parse(t, cluster.last)
		var kept []string
		for id := range parse(t, release.Manifest) {
			isDefinition := strings.HasPrefix(id, "CustomResourceDefinition ")
			if deleted[id] == nil {
				kept = append(kept, id)
			}
			if isDefinition == (deleted[id] != nil) && test.kept > 0 {
				t.Errorf("crds %v: %s: deleted %v", test.crds, id, deleted[id] != nil)
			}
		}
		slices.Sort(kept)
		if len(kept) != test.kept || len(deleted) < 12 {
			t.Errorf("crds %v: Helm keeps %v and deletes %d objects", test.crds, kept, len(deleted))
		}
		for _, id := range kept {
			if name := strings.Fields(id)[1]; !strings.Contains(answer.Info, name) {
				t.Errorf("Helm does not say that it keeps %s: %s", name, answer.Info)
			}
		}
	}
}

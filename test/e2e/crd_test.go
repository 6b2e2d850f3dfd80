package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func TestCRDsAreEstablishedWithoutWarnings(t *testing.T) {
	if strings.Contains(shared.applied, "Warning") {
		t.Errorf("kubectl apply printed warnings:\n%s", shared.applied)
	}
	out, err := shared.kubectl("get", "crd", "-o", "json")
	if err != nil {
		t.Fatal(err)
	}
	var list apiextensionsv1.CustomResourceDefinitionList
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != len(plurals) {
		t.Errorf("the server has %d CRDs; the example has %d kinds", len(list.Items), len(plurals))
	}
	for _, crd := range list.Items {
		established := false
		for _, c := range crd.Status.Conditions {
			switch {
			case c.Type == apiextensionsv1.Established:
				established = c.Status == apiextensionsv1.ConditionTrue
			case c.Type == apiextensionsv1.NamesAccepted:
				if c.Status != apiextensionsv1.ConditionTrue {
					t.Errorf("%s: names are not accepted: %s", crd.Name, c.Message)
				}
			case c.Status == apiextensionsv1.ConditionTrue:
				t.Errorf("%s: condition %s: %s", crd.Name, c.Type, c.Message)
			}
		}
		if !established {
			t.Errorf("%s is not established", crd.Name)
		}
		if got := len(crd.Spec.Versions); got != 3 {
			t.Errorf("%s has %d versions, want 3", crd.Name, got)
		}
	}
}

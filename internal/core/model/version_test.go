package model

import "testing"

func TestVersions(t *testing.T) {
	ascending := []string{"v1alpha1", "v1alpha2", "v1alpha10", "v1beta1", "v1beta2", "v1", "v2alpha1", "v2beta1", "v2", "v10alpha1", "v10", "v2147483647"}
	for i, a := range ascending {
		if !IsVersion(a) {
			t.Errorf("%s is no version", a)
		}
		for j, b := range ascending {
			if got := CompareVersions(a, b); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%s, %s: %d", a, b, got)
			}
		}
	}
	for _, name := range []string{"", "v", "v0", "v01", "1", "V1", "v1alpha", "v1alpha0", "v1gamma1", "v1beta1x", "v2147483648", "v1beta2147483648", "v99999999999999999999"} {
		if IsVersion(name) {
			t.Errorf("%s is a version", name)
		}
	}
}

func TestNextVersion(t *testing.T) {
	for name, want := range map[string]string{"v1": "v2", "v9": "v10", "v1beta1": "v1beta2", "v2alpha19": "v2alpha20", "shop": "", "v1beta": "", "": ""} {
		if got := NextVersion(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

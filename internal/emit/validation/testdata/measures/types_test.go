package measures

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/resource"
)

func TestBounds(t *testing.T) {
	own := func(d time.Duration) *Own { return &Own{Duration: d} }
	sizes := func(texts ...string) []OwnSize {
		var all []OwnSize
		for _, text := range texts {
			all = append(all, OwnSize(resource.MustParse(text)))
		}
		return all
	}
	for _, c := range []struct {
		spec, old PoolSpec
		want      string
	}{
		{PoolSpec{Own: own(time.Hour), Sizes: sizes("1Gi")}, PoolSpec{}, ""},
		{PoolSpec{Own: own(2 * time.Hour)}, PoolSpec{}, `own: Invalid value: "2h0m0s": must be less than or equal to 1h0m0s`},
		{PoolSpec{Own: own(1)}, PoolSpec{}, `own: Invalid value: "1ns": must be greater than or equal to 1s`},
		{PoolSpec{Sizes: sizes("1Mi", "1Ti")}, PoolSpec{},
			`sizes[0]: Invalid value: "1Mi": must be greater than or equal to 1Gi; sizes[1]: Invalid value: "1Ti": must be less than 1Ti`},
		{PoolSpec{Sizes: sizes("1048576")}, PoolSpec{Sizes: sizes("1Mi")}, ""}, // as before
	} {
		op := operation.Operation{Type: operation.Update}
		var got []string
		for _, err := range Validate_PoolSpec(t.Context(), op, nil, &c.spec, &c.old) {
			got = append(got, err.Error())
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("got  %s\nwant %s", text, c.want)
		}
	}
}

package v1

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// UpgradeIdleTimeout converts the idleTimeout of v1alpha1 and v1beta1, a duration
// such as "5m" or the empty string, to seconds.
func UpgradeIdleTimeout(in string) (*int32, error) {
	if in == "" {
		return nil, nil
	}
	d, err := time.ParseDuration(in)
	if err != nil {
		return nil, fmt.Errorf("%q is not a duration such as \"90s\" or \"1h30m\"", in)
	}
	if d%time.Second != 0 || d < 0 || d > math.MaxInt32*time.Second {
		return nil, fmt.Errorf("%q is not a whole number of seconds", in)
	}
	seconds := int32(d / time.Second)
	return &seconds, nil
}

// DowngradeIdleTimeout converts seconds to the idleTimeout of v1alpha1 and
// v1beta1. Durations are formatted for people: 5400 is "1h30m".
func DowngradeIdleTimeout(in *int32) string {
	if in == nil {
		return ""
	}
	if *in <= 0 {
		return strconv.Itoa(int(*in)) + "s"
	}
	var out string
	rest := *in
	for _, unit := range []struct {
		seconds int32
		name    string
	}{{3600, "h"}, {60, "m"}, {1, "s"}} {
		if n := rest / unit.seconds; n > 0 {
			out += strconv.Itoa(int(n)) + unit.name
		}
		rest %= unit.seconds
	}
	return out
}

// UpgradeDeletionPolicy returns the deletion policy of databases that were
// created before v1beta1. Their data was always retained, and an upgrade must
// not change that.
func UpgradeDeletionPolicy() DeletionPolicy { return DeletionPolicyRetain }

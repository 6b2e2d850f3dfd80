package v1

import (
	"math"
	"testing"
)

func TestIdleTimeoutAsPeopleWriteIt(t *testing.T) {
	for _, tt := range []struct {
		text    string
		seconds int32
	}{
		{"0s", 0},
		{"1s", 1},
		{"45s", 45},
		{"1m", 60},
		{"5m", 300},
		{"1m30s", 90},
		{"1h", 3600},
		{"1h30m", 5400},
		{"1h0m5s", 3605},
		{"24h", 86400},
	} {
		up, err := UpgradeIdleTimeout(tt.text)
		if err != nil || up == nil || *up != tt.seconds {
			t.Errorf("%s: got %v, %v; want %d", tt.text, up, err, tt.seconds)
		}
		if tt.text == "1h0m5s" {
			continue // zero units are omitted
		}
		if down := DowngradeIdleTimeout(&tt.seconds); down != tt.text {
			t.Errorf("%d: got %q, want %q", tt.seconds, down, tt.text)
		}
	}
}

func TestIdleTimeoutUnset(t *testing.T) {
	if up, err := UpgradeIdleTimeout(""); up != nil || err != nil {
		t.Errorf("got %v, %v; want nothing", up, err)
	}
	if down := DowngradeIdleTimeout(nil); down != "" {
		t.Errorf("got %q, want nothing", down)
	}
}

func TestIdleTimeoutKeepsSeconds(t *testing.T) {
	check := func(seconds int32) {
		t.Helper()
		up, err := UpgradeIdleTimeout(DowngradeIdleTimeout(&seconds))
		if err != nil || up == nil || *up != seconds {
			t.Errorf("%d is downgraded to %q, which is upgraded to %v, %v", seconds, DowngradeIdleTimeout(&seconds), up, err)
		}
	}
	for seconds := range int32(90_000) {
		check(seconds)
	}
	check(math.MaxInt32)
}

func TestIdleTimeoutRefused(t *testing.T) {
	for _, text := range []string{"soon", "5", "1.5s", "-5s", "600000h", "300ms"} {
		if up, err := UpgradeIdleTimeout(text); err == nil {
			t.Errorf("%s: got %d, want an error", text, *up)
		}
	}
}

package v1

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// FormatMoment writes a time as text.
func FormatMoment(in *metav1.MicroTime) string {
	if in == nil {
		return ""
	}
	return in.UTC().Format(time.RFC3339Nano)
}

// ParseMoment is the inverse.
func ParseMoment(in string) (*metav1.MicroTime, error) {
	if in == "" {
		return nil, nil
	}
	parsed, err := time.Parse(time.RFC3339Nano, in)
	if err != nil {
		return nil, err
	}
	return &metav1.MicroTime{Time: parsed}, nil
}

// DefaultCurrency is what stores had before they could say.
func DefaultCurrency() Currency { return "EUR" }

// DowngradePort refuses ports that older versions cannot hold.
func DowngradePort(in uint32) (uint16, error) {
	if in > math.MaxUint16 {
		return 0, fmt.Errorf("%d is no port", in)
	}
	return uint16(in), nil
}

// DowngradePriority refuses priorities that older versions cannot hold.
func DowngradePriority(in int32) (int8, error) {
	if in != int32(int8(in)) {
		return 0, fmt.Errorf("priority %d is out of range", in)
	}
	return int8(in), nil
}

// DowngradeWidth refuses widths that older versions cannot hold.
func DowngradeWidth(in int64) (int32, error) {
	if in != int64(int32(in)) {
		return 0, fmt.Errorf("width %d is out of range", in)
	}
	return int32(in), nil
}

// DowngradeLimit refuses limits that older versions cannot hold.
func DowngradeLimit(in *int64) (*int8, error) {
	if in == nil {
		return nil, nil
	}
	out := int8(*in)
	if int64(out) != *in {
		return nil, fmt.Errorf("limit %d is out of range", *in)
	}
	return &out, nil
}

// NarrowGrades refuses grades that older versions cannot hold.
func NarrowGrades(in []int64) ([]int32, error) {
	if in == nil {
		return nil, nil
	}
	out := make([]int32, len(in))
	for i, g := range in {
		if out[i] = int32(g); int64(out[i]) != g {
			return nil, fmt.Errorf("grade %d is out of range", g)
		}
	}
	return out, nil
}

// JoinLines makes one line of several.
func JoinLines(in []string) string { return strings.Join(in, "\n") }

// SplitLines is the inverse.
func SplitLines(in string) []string {
	if in == "" {
		return nil
	}
	return strings.Split(in, "\n")
}

// ParseAddress reads "street; city".
func ParseAddress(in string) (Address, error) {
	if in == "" {
		return Address{}, nil
	}
	street, city, ok := strings.Cut(in, "; ")
	if !ok {
		return Address{}, fmt.Errorf("%q has no city", in)
	}
	return Address{Street: street, City: city}, nil
}

// FormatAddress is the inverse.
func FormatAddress(in Address) string {
	if in == (Address{}) {
		return ""
	}
	return in.Street + "; " + in.City
}

// UpgradeContact keeps the phones as they are: it is the caller's to copy.
func UpgradeContact(in *Person) *Contact {
	if in == nil {
		return nil
	}
	return &Contact{Display: in.Name, Phones: in.Phones}
}

// DowngradeContact is the inverse.
func DowngradeContact(in *Contact) *Person {
	if in == nil {
		return nil
	}
	out := &Person{Name: in.Display, Phones: in.Phones}
	in.Display, in.Phones = "", nil // a function may change its argument
	return out
}

// DefaultReturns sets only what v1beta1 has.
func DefaultReturns() map[string]Delivery { return map[string]Delivery{"any": {Limit: 1}} }

// ParsePath sets only what v1beta1 has.
func ParsePath(in string) *Route {
	if in == "" {
		return nil
	}
	return &Route{Legs: []Delivery{{Speed: Speed(in)}}}
}

func FormatPath(in *Route) string {
	if in == nil || len(in.Legs) == 0 {
		return ""
	}
	return string(in.Legs[0].Speed)
}

func FormatFee(in int32) string {
	if in == 0 {
		return ""
	}
	return strconv.Itoa(int(in))
}

func ParseFee(in string) int32 {
	fee, _ := strconv.ParseInt(in, 10, 32)
	return int32(fee)
}

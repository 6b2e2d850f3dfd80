package defaulting

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kindsmith/kindsmith/internal/model"
)

// Types with JSON of their own that generators can nevertheless write as Go.
var (
	Time         = model.Name{Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Name: "Time"}
	MicroTime    = model.Name{Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Name: "MicroTime"}
	Duration     = model.Name{Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Name: "Duration"}
	GoTime       = model.Name{Package: "time", Name: "Time"}
	Quantity     = model.Name{Package: "k8s.io/apimachinery/pkg/api/resource", Name: "Quantity"}
	IntOrString  = model.Name{Package: "k8s.io/apimachinery/pkg/util/intstr", Name: "IntOrString"}
	RawExtension = model.Name{Package: "k8s.io/apimachinery/pkg/runtime", Name: "RawExtension"}
	RawJSON      = model.Name{Package: "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", Name: "JSON"}
	GoRawMessage = model.Name{Package: "encoding/json", Name: "RawMessage"}
)

// literal is a type with JSON of its own whose values are known when generating.
type literal struct {
	// check returns what is wrong with a value, or "".
	check func(v *Value) string
}

var literals = map[model.Name]literal{
	Time:         {timeIn(time.RFC3339, "2006-01-02T15:04:05Z")},
	MicroTime:    {timeIn(metav1.RFC3339Micro, "2006-01-02T15:04:05.000000Z")},
	GoTime:       {timeIn(time.RFC3339, "2006-01-02T15:04:05Z")},
	Duration:     {duration},
	Quantity:     {quantity},
	IntOrString:  {intOrString},
	RawExtension: {anything},
	RawJSON:      {anything},
	GoRawMessage: {anything},
}

// Literals returns the types with JSON of their own that can be written as Go, by name.
func Literals() []model.Name {
	return slices.SortedFunc(maps.Keys(literals), func(a, b model.Name) int { return strings.Compare(a.String(), b.String()) })
}

func timeIn(layout, example string) func(v *Value) string {
	return func(v *Value) string {
		if v.Kind == String {
			if _, err := time.Parse(layout, v.Text); err == nil {
				return ""
			}
		}
		return fmt.Sprintf("a time is a string such as %q", example)
	}
}

func duration(v *Value) string {
	if v.Kind == String {
		if _, err := time.ParseDuration(v.Text); err == nil {
			return ""
		}
	}
	return `a duration is a string such as "30s" or "1h30m"`
}

func quantity(v *Value) string {
	if v.Kind == String || v.Kind == Number {
		if _, err := resource.ParseQuantity(v.Text); err == nil {
			return ""
		}
	}
	return `a quantity is a string such as "500m" or "1Gi", or a number`
}

func intOrString(v *Value) string {
	switch v.Kind {
	case String:
		return ""
	case Number:
		if _, err := strconv.ParseInt(v.Text, 10, 32); err == nil {
			return ""
		}
	}
	return "an IntOrString is a string or a whole number of 32 bits"
}

func anything(*Value) string { return "" }

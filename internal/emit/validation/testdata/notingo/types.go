package notingo

import (
	"encoding/json"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Thing has rules that Go cannot enforce, or not all of.
//
// +kubebuilder:validation:XValidation:rule="self.name != 'bad' && strings.quote(self.name) != 'worse'"
// +kubebuilder:validation:XValidation:rule="self.missing == 3"
// +kubebuilder:validation:XValidation:rule="self.name"
// +kubebuilder:validation:XValidation:rule="self.name !="
type Thing struct {
	// +kubebuilder:validation:XValidation:rule="strings.quote(self) != \"worst\""
	// +kubebuilder:validation:XValidation:rule="self != 'x'",messageExpression="'no ' + strings.quote(self)"
	// +kubebuilder:validation:XValidation:rule="self != 'y'",messageExpression="missing"
	Name string `json:"name"`
	// +kubebuilder:validation:Format=date-time
	// +kubebuilder:validation:XValidation:rule="self.getFullYear() > 2000"
	Since string `json:"since,omitempty"`

	Shaped Shaped `json:"shaped"`

	// +kubebuilder:validation:XValidation:rule="self == oldSelf"
	Timing Timing `json:"timing"`
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:XValidation:rule="self == oldSelf"
	Timings []Timing `json:"timings"`
}

// Timing is compared.
type Timing struct {
	Name string `json:"name"`
	// +optional
	Steps []Step `json:"steps,omitempty"`
}

// Step has a value that Go does not compare like API servers.
type Step struct {
	Wait metav1.Duration `json:"wait"`
}

// Shaped has fields whose schemas differ from their Go types.
//
// +kubebuilder:validation:XValidation:rule="self.size != 'x'"
// +kubebuilder:validation:XValidation:rule="self.list.size() < 3"
// +kubebuilder:validation:XValidation:rule="self.odd != 'x'"
type Shaped struct {
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:XValidation:rule="self == 'x'"
	Size int32 `json:"size"`
	// +kubebuilder:validation:items:Type=string
	List []int32 `json:"list"`
	// +kubebuilder:validation:Type=string
	Odd Odd `json:"odd"`
}

// Odd is a number in a string.
type Odd struct{ number int }

// MarshalJSON writes a string.
func (o Odd) MarshalJSON() ([]byte, error) { return json.Marshal(strconv.Itoa(o.number)) }

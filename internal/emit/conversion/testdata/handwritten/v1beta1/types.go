// Package v1beta1 was written by hand and stays so: its Go names differ, its
// JSON is what v1's markers say.
//
// +kubebuilder:object:generate=true
// +groupName=handwritten.example.com
package v1beta1

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"

	v1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/handwritten/v1"
)

// +kubebuilder:object:root=true

// Job is a job.
type Job struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec JobSpec `json:"spec,omitempty"`
}

// JobSpec is what the job should do.
type JobSpec struct {
	Cmd     []string `json:"cmd,omitempty"`
	Policy  Policy   `json:"policy,omitempty"`
	Window  Window   `json:"window"`
	Owner   string   `json:"owner,omitempty"`
	Steps   []Step   `json:"steps,omitempty"`
	Retries int32    `json:"retries,omitempty"`
	Memos   string   `json:"memo,omitempty"`
	Marks   Marks    `json:"marks,omitempty"`
	Audit   Audit    `json:"audit"`
}

// Marks has no methods that copy it.
//
// +kubebuilder:object:generate=false
type Marks map[string][]string

// Audit is copied by hand.
//
// +kubebuilder:object:generate=false
type Audit struct {
	By []string `json:"by,omitempty"`
}

// DeepCopyInto copies the audit.
func (in *Audit) DeepCopyInto(out *Audit) { out.By = slices.Clone(in.By) }

// Convert_v1beta1_Marks_To_v1_Marks keeps what it gets.
func Convert_v1beta1_Marks_To_v1_Marks(in *Marks, out *v1.Marks, s conversion.Scope) error {
	*out = v1.Marks(*in)
	return nil
}

// Convert_v1_Marks_To_v1beta1_Marks keeps what it gets.
func Convert_v1_Marks_To_v1beta1_Marks(in *v1.Marks, out *Marks, s conversion.Scope) error {
	*out = Marks(*in)
	return nil
}

// Convert_v1beta1_Audit_To_v1_Audit keeps what it gets.
func Convert_v1beta1_Audit_To_v1_Audit(in *Audit, out *v1.Audit, s conversion.Scope) error {
	*out = v1.Audit(*in)
	return nil
}

// Convert_v1_Audit_To_v1beta1_Audit keeps what it gets.
func Convert_v1_Audit_To_v1beta1_Audit(in *v1.Audit, out *Audit, s conversion.Scope) error {
	*out = Audit(*in)
	return nil
}

// Step is a step.
type Step struct {
	Title string `json:"name"`
}

// Window counts hours.
type Window struct {
	Hours int32    `json:"hours"`
	Days  []string `json:"days,omitempty"`
}

// Policy is an enum.
type Policy string

// PolicyAlways is the only policy.
const PolicyAlways Policy = "Always"

// Convert_v1beta1_Window_To_v1_Window makes minutes of hours. It keeps and changes what it gets.
func Convert_v1beta1_Window_To_v1_Window(in *Window, out *v1.Window, s conversion.Scope) error {
	out.Minutes, out.Days = int64(in.Hours)*60, in.Days
	in.Hours = 0
	return nil
}

// Convert_v1_Window_To_v1beta1_Window makes hours of minutes. It keeps and changes what it gets.
func Convert_v1_Window_To_v1beta1_Window(in *v1.Window, out *Window, s conversion.Scope) error {
	out.Hours, out.Days = int32(in.Minutes/60), in.Days
	in.Minutes = 0
	return nil
}

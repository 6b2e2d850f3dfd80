// Package byhand has functions by hand beside tags, and registers itself as
// kubebuilder's scaffolding did before it generated anything.
//
// +groupName=byhand.example.com
// +k8s:defaulter-gen=TypeMeta
package byhand

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group version.
var GroupVersion = schema.GroupVersion{Group: "byhand.example.com", Version: "v1"}

// SchemeBuilder and AddToScheme are by hand.
var (
	SchemeBuilder = runtime.NewSchemeBuilder(func(s *runtime.Scheme) error {
		s.AddKnownTypes(GroupVersion, &Job{}, &JobList{})
		return nil
	})
	AddToScheme = SchemeBuilder.AddToScheme
)

// Job is a kind.
type Job struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec JobSpec `json:"spec"`
}

// JobList is its list.
type JobList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Job `json:"items"`
}

// JobSpec is filled in by hand and by tags.
type JobSpec struct {
	// Trace is where functions note that they ran.
	Trace []string `json:"trace,omitempty"`
	// +default="tag"
	Name string `json:"name,omitempty"`
	// +default="tag"
	Other string `json:"other,omitempty"`
	// +default={"mode":"parent"}
	Step  *Step           `json:"step,omitempty"`
	Steps map[string]Step `json:"steps,omitempty"`
	Size  Size            `json:"size,omitempty"`
	Sizes map[string]Size `json:"sizes,omitempty"`
	Done  Done            `json:"done"`
	Again Again           `json:"again"`
}

// Step has a function by hand and nothing else.
type Step struct {
	Mode   string `json:"mode,omitempty"`
	ByHand string `json:"byHand,omitempty"`
}

// Size is a scalar with a function by hand.
type Size int

// Done has its whole function by hand.
type Done struct {
	// +default="never"
	Value string `json:"value,omitempty"`
}

// Again is made of Step, and has a function of its own.
type Again Step

// SetDefaults_Job runs before anything below a job.
func SetDefaults_Job(in *Job) { in.Spec.Trace = append(in.Spec.Trace, "Job") }

// SetDefaults_JobSpec wins over the tag on Name.
func SetDefaults_JobSpec(in *JobSpec) {
	in.Trace = append(in.Trace, "JobSpec")
	if in.Name == "" {
		in.Name = "hand"
	}
}

// SetDefaults_JobSpec_More runs too.
func SetDefaults_JobSpec_More(in *JobSpec) { in.Trace = append(in.Trace, "JobSpec_More") }

// SetDefaults_Step shows what was there when it ran.
func SetDefaults_Step(in *Step) { in.ByHand = "saw " + in.Mode }

// SetDefaults_Size is called for scalars.
func SetDefaults_Size(in *Size) {
	if *in == 0 {
		*in = 42
	}
}

// SetObjectDefaults_Done is all there is for Done.
func SetObjectDefaults_Done(in *Done) { in.Value = "by hand" }

// SetDefaults_Again runs before what Step has.
func SetDefaults_Again(in *Again) { in.Mode = "again" }

// SetDefaults_Nobody is called for nobody: there is no such type.
func SetDefaults_Nobody(in *string) { *in = "" }

// SetDefaults_JobList_Wrong has another parameter, so it is not meant.
func SetDefaults_JobList_Wrong(in JobList) {}

// DeepCopyObject makes Job an object.
func (in *Job) DeepCopyObject() runtime.Object { out := *in; return &out }

// DeepCopyObject makes JobList an object.
func (in *JobList) DeepCopyObject() runtime.Object { out := *in; return &out }

// Config is no kind. The package's marker selects it by its field.
type Config struct {
	metav1.TypeMeta `json:",inline"`

	Retries *int32 `json:"retries,omitempty"`
}

// SetDefaults_Config is by hand.
func SetDefaults_Config(c *Config) {
	if c.Retries == nil {
		c.Retries = new(int32)
		*c.Retries = 3
	}
}

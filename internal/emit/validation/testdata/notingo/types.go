package notingo

// Thing has rules that Go cannot enforce, or not all of.
//
// +kubebuilder:validation:XValidation:rule="self.name != 'bad' && '%s'.format([self.name]) != 'worse'"
// +kubebuilder:validation:XValidation:rule="self.missing == 3"
// +kubebuilder:validation:XValidation:rule="self.name"
// +kubebuilder:validation:XValidation:rule="self.name !="
type Thing struct {
	// +kubebuilder:validation:XValidation:rule="'%s'.format([self]) != \"worst\""
	// +kubebuilder:validation:XValidation:rule="self != 'x'",messageExpression="'no ' + '%s'.format([self])"
	// +kubebuilder:validation:XValidation:rule="self != 'y'",messageExpression="missing"
	Name string `json:"name"`
	// +kubebuilder:validation:Format=date-time
	// +kubebuilder:validation:XValidation:rule="self.getFullYear() > 2000"
	Since string `json:"since,omitempty"`
}

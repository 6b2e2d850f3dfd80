package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Site is a web site. The operator writes its pages to a ConfigMap.
//
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Host",type=string,JSONPath=`.spec.host`
// +kubebuilder:printcolumn:name="Pages",type=integer,JSONPath=`.status.pages`
type Site struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard object metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is the desired state.
	// +required
	Spec SiteSpec `json:"spec"`

	// status is the observed state.
	// +k8s:optional
	Status SiteStatus `json:"status,omitzero"`
}

// SiteList is a list of sites.
type SiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`

	Items []Site `json:"items"`
}

// SiteSpec is the desired state of a site.
type SiteSpec struct {
	// host is the name under which the site is served.
	// +k8s:required
	// +k8s:format=k8s-long-name
	// +versioned:changed(since: "v1", fromName: "domain")
	Host string `json:"host,omitempty"`

	// language is the language of pages without one.
	// +k8s:optional
	// +k8s:maxLength=8
	// +default="en"
	Language string `json:"language,omitempty"`

	// theme is the look of the pages.
	// +k8s:optional
	// +k8s:maxLength=63
	// +versioned:deprecated(since: "v1", note: "use the annotation site.example.com/theme", keepName: true)
	Theme string `json:"theme,omitempty"`
}

// SiteStatus is the observed state of a site.
type SiteStatus struct {
	// pages is the number of pages in the ConfigMap.
	// +k8s:optional
	Pages *int32 `json:"pages,omitempty"`

	// conditions are the latest observations of the state.
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

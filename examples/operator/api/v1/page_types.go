package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Page is a page of a site in the same namespace.
//
// +kubebuilder:printcolumn:name="Site",type=string,JSONPath=`.spec.site`
// +kubebuilder:printcolumn:name="Path",type=string,JSONPath=`.spec.path`
type Page struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard object metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is the desired state.
	// +required
	Spec PageSpec `json:"spec"`
}

// PageList is a list of pages.
type PageList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`

	Items []Page `json:"items"`
}

// PageSpec is the desired state of a page.
type PageSpec struct {
	// site is the name of the site.
	// +k8s:required
	// +k8s:immutable
	// +k8s:format=k8s-long-name
	Site string `json:"site,omitempty"`

	// path is the path of the page in URLs. Of pages with the same path, the site has the oldest.
	// +k8s:optional
	// +k8s:maxLength=200
	// +k8s:pattern=`^/([A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*)?$`
	// +default="/"
	Path string `json:"path,omitempty"`

	// title is the title of the page.
	// +k8s:optional
	// +k8s:maxLength=200
	// +versioned:added(since: "v1")
	Title string `json:"title,omitempty"`

	// content is what the page shows.
	// +k8s:required
	Content Content `json:"content,omitzero"`
}

// Content is the text of a page, or where it is.
type Content struct {
	// type selects where the text is.
	// +k8s:required
	// +k8s:unionDiscriminator
	Type ContentType `json:"type,omitempty"`

	// inline is the text itself.
	// +k8s:optional
	// +k8s:unionMember
	Inline *InlineContent `json:"inline,omitempty"`

	// configMap has the text.
	// +k8s:optional
	// +k8s:unionMember
	ConfigMap *ConfigMapContent `json:"configMap,omitempty"`
}

// ContentType is where the text of a page is.
//
// +k8s:enum
type ContentType string

const (
	// ContentInline is text in the page.
	ContentInline ContentType = "Inline"
	// ContentConfigMap is text in a ConfigMap.
	ContentConfigMap ContentType = "ConfigMap"
)

// InlineContent is text in a page.
type InlineContent struct {
	// text is the text.
	// +k8s:required
	// +k8s:maxLength=10000
	Text string `json:"text,omitempty"`
}

// ConfigMapContent is text in a ConfigMap of the namespace.
type ConfigMapContent struct {
	// name is the name of the ConfigMap.
	// +k8s:required
	// +k8s:format=k8s-long-name
	Name string `json:"name,omitempty"`

	// key is the key of the text.
	// +k8s:optional
	// +k8s:maxLength=253
	// +default="index.html"
	Key string `json:"key,omitempty"`
}

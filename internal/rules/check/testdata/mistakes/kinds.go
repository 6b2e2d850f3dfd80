package mistakes

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Named has a TypeMeta with a JSON name.
type Named struct {
	metav1.TypeMeta   `json:"typeMeta,omitempty" yaml:"typeMeta"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Omitted has a TypeMeta that is not in JSON.
type Omitted struct {
	metav1.TypeMeta `json:"-"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Named `json:"items"`
}

// Inlined has a TypeMeta without a json tag, which is inlined.
type Inlined struct {
	metav1.TypeMeta
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

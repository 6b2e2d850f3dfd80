package inspect

import (
	"encoding/json"
	"errors"
	"net/url"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/tool/dev/requests"
)

// Form returns the form of what a request sends.
func Form(r requests.Request) string {
	if !r.Changes() {
		return Other
	}
	_, form, _ := sentBy(r)
	return form
}

// Read returns the one object in a text, or the one patch. An error says what is wrong with the text.
func Read(text string) (*unstructured.Unstructured, error) {
	bag := &diag.Bag{}
	docs := manifest.Parse(source.NewFile("manifest", []byte(text)), bag)
	for _, d := range bag.All() {
		return nil, errors.New(d.Message)
	}
	if len(docs) == 1 {
		if value, ok := docs[0].Value.(map[string]any); ok {
			return &unstructured.Unstructured{Object: value}, nil
		}
	}
	return nil, errors.New("the text must be one object")
}

// Path returns the path of the objects of a kind.
func (k *Kind) Path(version, namespace string) string {
	path := "/apis/" + k.Group + "/" + version
	if k.Group == "" {
		path = "/api/" + version
	}
	if k.Namespaced && namespace != "" {
		path += "/namespaces/" + url.PathEscape(namespace)
	}
	return path + "/" + k.Plural
}

// Annotated returns an object as kubectl apply sends it, with its manifest in an annotation.
func Annotated(object *unstructured.Unstructured) ([]byte, error) {
	object = object.DeepCopy()
	annotations := object.GetAnnotations()
	delete(annotations, applied)
	if object.SetAnnotations(annotations); len(annotations) == 0 {
		// kubectl has an empty object there.
		if err := unstructured.SetNestedMap(object.Object, map[string]any{}, "metadata", "annotations"); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(object.Object)
	if err != nil {
		return nil, err
	}
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[applied] = string(text) + "\n"
	object.SetAnnotations(annotations)
	return json.Marshal(object.Object)
}

// Applied returns the manifest of the last kubectl apply of an object; nil if there was none.
func Applied(object []byte) ([]byte, error) {
	var u unstructured.Unstructured
	if err := json.Unmarshal(object, &u.Object); err != nil {
		return nil, err
	}
	if text, ok := u.GetAnnotations()[applied]; ok {
		return []byte(text), nil
	}
	return nil, nil
}

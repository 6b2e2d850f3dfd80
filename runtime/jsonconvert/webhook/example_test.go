package webhook_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert/webhook"
)

// tables stands for the generated function JSONConversion of your oldest version.
func tables() *jsonconvert.API {
	return &jsonconvert.API{
		Group: "shop.example.com", Kinds: []jsonconvert.Kind{{Name: "Order"}},
		Versions: []jsonconvert.Version{{Name: "v1beta1"}, {Name: "v1"}},
		Steps: []jsonconvert.Step{{Older: "v1beta1", Newer: "v1", Types: map[string]*jsonconvert.Type{
			"Order": {Fields: []jsonconvert.Field{{Older: jsonconvert.Key{Name: "count"}, Newer: jsonconvert.Key{Name: "quantity"}}}},
		}}},
	}
}

func ExampleHandler() {
	converter, err := jsonconvert.New(tables())
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/convert", webhook.Handler(converter))

	// The API server sends:
	review := `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"1","desiredAPIVersion":"shop.example.com/v1",
		"objects":[{"apiVersion":"shop.example.com/v1beta1","kind":"Order","metadata":{"name":"a"},"count":3}]}}`
	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/convert", strings.NewReader(review)))
	fmt.Println(answer.Body)
	// Output: {"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"1","convertedObjects":[{"apiVersion":"shop.example.com/v1","kind":"Order","metadata":{"name":"a"},"quantity":3}],"result":{"status":"Success"}}}
}

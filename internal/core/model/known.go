package model

const metaV1 = "k8s.io/apimachinery/pkg/apis/meta/v1"

// Types that packages know by their names: those with JSON that their declarations do
// not show, and those that are part of every object.
var (
	Time         = Name{Package: metaV1, Name: "Time"}
	MicroTime    = Name{Package: metaV1, Name: "MicroTime"}
	Duration     = Name{Package: metaV1, Name: "Duration"}
	FieldsV1     = Name{Package: metaV1, Name: "FieldsV1"}
	TypeMeta     = Name{Package: metaV1, Name: "TypeMeta"}
	ObjectMeta   = Name{Package: metaV1, Name: "ObjectMeta"}
	ListMeta     = Name{Package: metaV1, Name: "ListMeta"}
	Quantity     = Name{Package: "k8s.io/apimachinery/pkg/api/resource", Name: "Quantity"}
	IntOrString  = Name{Package: "k8s.io/apimachinery/pkg/util/intstr", Name: "IntOrString"}
	RawExtension = Name{Package: "k8s.io/apimachinery/pkg/runtime", Name: "RawExtension"}
	RawJSON      = Name{Package: "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", Name: "JSON"}
	GoDuration   = Name{Package: "time", Name: "Duration"}
	GoTime       = Name{Package: "time", Name: "Time"}
	GoRawMessage = Name{Package: "encoding/json", Name: "RawMessage"}
)

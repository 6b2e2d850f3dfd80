package shapes_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit/defaults/testdata/byhand"
	"github.com/kindsmith/kindsmith/internal/emit/defaults/testdata/shapes"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// section returns one part of a defaulted Spec, as JSON.
func section(t *testing.T, name, input string) string {
	t.Helper()
	thing := shapes.Thing{}
	if input != "" {
		if err := json.Unmarshal([]byte(`{"spec":{"`+name+`":`+input+`}}`), &thing); err != nil {
			t.Fatal(err)
		}
	}
	shapes.SetObjectDefaults_Thing(&thing)
	out, err := json.Marshal(thing.Spec)
	if err != nil {
		t.Fatal(err)
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(out, &parts); err != nil {
		t.Fatal(err)
	}
	return string(parts[name])
}

func checkJSON(t *testing.T, got, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Fatalf("%v in %s", err, got)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("%v in %s", err, want)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDeclaredFromAnotherKind(t *testing.T) {
	thing, twin := shapes.Thing{}, shapes.Twin{}
	shapes.SetObjectDefaults_Thing(&thing)
	scheme := runtime.NewScheme()
	if err := shapes.RegisterDefaults(scheme); err != nil {
		t.Fatal(err)
	}
	scheme.Default(&twin)
	if diff := cmp.Diff(thing, shapes.Thing(twin)); diff != "" {
		t.Errorf("the defaults differ (-Thing +Twin):\n%s", diff)
	}
}

func TestEveryShape(t *testing.T) {
	for _, c := range []struct{ name, section, in, want string }{
		{"inlined", "inner", "", `"inlined"`},
		{"scalars", "scalars", "", `{
			"string": "a \"quoted\" string", "int": -3, "float": 1.5, "bool": true, "mode": "Fast", "protocol": "UDP",
			"builder": "kubebuilder", "fromOther": "Slow", "zero": ""}`},
		{"scalars given", "scalars", `{"string":"s","int":1,"float":2,"bool":true,"mode":"m","protocol":"p","builder":"b","fromOther":"f","zero":"z"}`,
			`{"string":"s","int":1,"float":2,"bool":true,"mode":"m","protocol":"p","builder":"b","fromOther":"f","zero":"z"}`},
		{"what only servers can default", "servers", "", `{"sent":false,"struct":{"name":"","own":"own"}}`},
		{"pointers", "pointers", "", `{"string":"","int":0,"int64":3,"float":2,"bool":false,"mode":"Slow","text":"Fast","list":["x"],"twice":5,"declared":"Slow"}`},
		{"pointers to zero values", "pointers", `{"string":"s","int":1,"int64":0,"float":0,"bool":true,"mode":"","text":"","list":[],"twice":0,"declared":""}`,
			`{"string":"s","int":1,"int64":0,"float":0,"bool":true,"mode":"","text":"","list":[],"twice":0,"declared":""}`},
		{"composites: a parent's default, then its children's", "composites", "", `{
			"policy": {"name":"standard","inner":"given","retries":5,"limits":{"memory":"2Gi","burst":7,"tags":{"tier":"gold"}}},
			"empty": {"inner":"inlined","retries":5},
			"byName": {"a":{"name":"one","retries":1,"inner":"inlined"},"b":null},
			"policies": [{"name":"one","retries":5,"inner":"inlined"},{"name":"two","retries":2,"inner":"inlined"}],
			"pointers": [1,2], "matrix": [["a"],[]], "bytes": "aGVsbG8=", "numbered": {"1":"one"}, "modes": ["Fast","Slow"]}`},
		{"composites given: no merging with the parent's default", "composites",
			`{"policy":{},"empty":{"limits":{}},"byName":{},"policies":[{}],"pointers":[null],"matrix":[],"bytes":"","numbered":{},"modes":[""]}`,
			`{"policy":{"retries":5,"inner":"inlined"},"empty":{"retries":5,"inner":"inlined","limits":{"memory":"1Gi"}},
			  "policies":[{"retries":5,"inner":"inlined"}],"pointers":[null],"modes":[""]}`},
		{"special", "special", "", `{
			"quantity":"1Gi","quantityPtr":"2","duration":"1m30s","durationPtr":"1h0m0s","time":"2024-02-03T02:05:06Z",
			"micro":"2024-02-03T04:05:06.123456Z","go":"2024-02-03T04:05:06Z","port":8080,"portPtr":"http",
			"raw":{"kind":"Any"},"message":[1],"resources":{"cpu":"100m"}}`},
		{"special given", "special", `{
			"quantity":"5","quantityPtr":"0","duration":"1s","durationPtr":"0s","time":"2020-01-01T00:00:00Z",
			"micro":"2020-01-01T00:00:00.000000Z","go":"2020-01-01T00:00:00Z","port":"named","portPtr":0,"raw":{"a":1},"message":{},"resources":{}}`,
			`{"quantity":"5","quantityPtr":"0","duration":"1s","durationPtr":"0s","time":"2020-01-01T00:00:00Z",
			"micro":"2020-01-01T00:00:00.000000Z","go":"2020-01-01T00:00:00Z","port":"named","portPtr":0,"raw":{"a":1},"message":{}}`},
		{"nested: nothing there", "nested", "", `{"array":[{"memory":"1Gi"},{"memory":"1Gi"}],"names":["none"]}`},
		{"nested", "nested", `{
			"structs":[{},{"memory":"3"}],"ptrs":[{},null],"map":{"a":{},"b":{"memory":"3"}},"mapPtrs":{"a":{},"b":null},
			"mapLists":{"a":[{}],"b":null},"listMaps":[{"a":{}},null],"pointer":[{}],"mapArrays":{"a":[{},{"memory":"3"}]},
			"levels":["","x"],"levelMap":{"a":["",""]},"levelPtrs":{"a":null,"b":""},"names":[],"namesByKey":{"a":null,"b":[]},
			"tree":{"left":{"children":[{"name":"x"},{"byName":{"a":{}}}]}},"bare":{}}`,
			`{"array":[{"memory":"1Gi"},{"memory":"1Gi"}],
			"structs":[{"memory":"1Gi"},{"memory":"3"}],"ptrs":[{"memory":"1Gi"},null],"map":{"a":{"memory":"1Gi"},"b":{"memory":"3"}},
			"mapPtrs":{"a":{"memory":"1Gi"},"b":null},"mapLists":{"a":[{"memory":"1Gi"}],"b":null},"listMaps":[{"a":{"memory":"1Gi"}},null],
			"pointer":[{"memory":"1Gi"}],"mapArrays":{"a":[{"memory":"1Gi"},{"memory":"3"}]},
			"levels":["info","x"],"levelMap":{"a":["info","info"]},"levelPtrs":{"a":"info","b":""},"namesByKey":{"a":["none"],"b":[]},
			"tree":{"name":"leaf","left":{"name":"leaf","children":[{"name":"x"},{"name":"leaf","byName":{"a":{"name":"leaf"}}}]}},"bare":{}}`},
	} {
		t.Run(c.name, func(t *testing.T) { checkJSON(t, section(t, c.section, c.in), c.want) })
	}
}

func TestDefaultsOfOtherPackagesTypes(t *testing.T) {
	thing := shapes.Thing{}
	thing.Spec.Template.Spec.Containers = []corev1.Container{{Ports: []corev1.ContainerPort{{ContainerPort: 80}, {Protocol: corev1.ProtocolSCTP}}}}
	shapes.SetObjectDefaults_Thing(&thing)
	ports := thing.Spec.Template.Spec.Containers[0].Ports
	if ports[0].Protocol != corev1.ProtocolTCP || ports[1].Protocol != corev1.ProtocolSCTP {
		t.Errorf("protocols are %q and %q, want TCP and SCTP", ports[0].Protocol, ports[1].Protocol)
	}
}

// TestDefaultsAreFresh changes the defaults of one object and compares another.
func TestDefaultsAreFresh(t *testing.T) {
	var first, second, untouched shapes.Thing
	for _, thing := range []*shapes.Thing{&first, &second, &untouched} {
		shapes.SetObjectDefaults_Thing(thing)
	}
	c := &first.Spec.Composites
	c.Policy.Limits.Tags["tier"], *c.Policy.Limits.Burst, *c.Pointers[0], c.Matrix[0][0], c.Bytes[0] = "x", 99, 99, "x", 'x'
	c.ByName["a"].Name, c.Numbered[1], c.Map["new"], *c.Policies[1].Retries = "x", "x", "x", 99
	first.Spec.Special.Raw.Raw[0], first.Spec.Special.Message[0] = 'x', 'x'
	first.Spec.Special.Resources[corev1.ResourceMemory] = *first.Spec.Special.QuantityPtr
	*first.Spec.Pointers.String, *first.Spec.Pointers.Mode, **first.Spec.Pointers.Twice, (*first.Spec.Pointers.List)[0] = "x", "x", 99, "x"
	first.Spec.Nested.Names[0] = "x"
	if !reflect.DeepEqual(second, untouched) {
		t.Error("a change to one object's defaults shows in another object")
	}
	if reflect.DeepEqual(first, second) {
		t.Error("the test changed nothing")
	}
}

func TestNothingToDoAllocatesNothing(t *testing.T) {
	thing := &shapes.Thing{}
	thing.Spec.Nested.Map = map[string]shapes.Limits{"a": {}}
	thing.Spec.Nested.MapPtrs = map[string]*shapes.Limits{"a": {}}
	thing.Spec.Nested.Tree = &shapes.Tree{Left: &shapes.Tree{Children: []shapes.Tree{{}}}}
	thing.Spec.Template.Spec.Containers = []corev1.Container{{Ports: []corev1.ContainerPort{{}}}}
	shapes.SetObjectDefaults_Thing(thing)
	before, err := json.Marshal(thing)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(20, func() { shapes.SetObjectDefaults_Thing(thing) }); n != 0 {
		t.Errorf("%v allocations for an object that has everything", n)
	}
	after, err := json.Marshal(thing)
	if err != nil {
		t.Fatal(err)
	}
	checkJSON(t, string(after), string(before))
}

func TestScheme(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := shapes.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	list := &shapes.ThingList{Items: []shapes.Thing{{}}}
	scheme.Default(list)
	if got := list.Items[0].Spec.Scalars.Int; got != -3 {
		t.Errorf("an item of a list was not defaulted: int is %d", got)
	}
	thing := &shapes.Thing{}
	scheme.Default(thing)
	if got := thing.Spec.Inner; got != "inlined" {
		t.Errorf("a kind was not defaulted: inner is %q", got)
	}
}

func TestFunctionsByHand(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := byhand.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	config := &byhand.Config{}
	if byhand.SetObjectDefaults_Config(config); *config.Retries != 3 {
		t.Errorf("the function that is called for Config sets %d", *config.Retries)
	}
	job := &byhand.Job{Spec: byhand.JobSpec{
		Steps: map[string]byhand.Step{"a": {Mode: "own"}},
		Sizes: map[string]byhand.Size{"a": 0, "b": 1},
	}}
	scheme.Default(job)
	want := byhand.JobSpec{
		Trace: []string{"Job", "JobSpec", "JobSpec_More"}, // parents first
		Name:  "hand",                                     // by hand before the tag
		Other: "tag",
		Step:  &byhand.Step{Mode: "parent", ByHand: "saw parent"}, // the parent's default is there before
		Steps: map[string]byhand.Step{"a": {Mode: "own", ByHand: "saw own"}},
		Size:  42,
		Sizes: map[string]byhand.Size{"a": 42, "b": 1},
		Done:  byhand.Done{Value: "by hand"},
		Again: byhand.Again{Mode: "again", ByHand: "saw again"},
	}
	if diff := cmp.Diff(want, job.Spec); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestEvaluator compares what the evaluator makes of objects with what generated Go
// does. What only API servers can default is left out: Go cannot.
func TestEvaluator(t *testing.T) {
	m, err := driver.Model(driver.ModelConfig{Patterns: []string{"."}}, &diag.Bag{})
	if err != nil {
		t.Fatal(err)
	}
	set := eval.New(tag.Programs(m, driver.Tags()))
	thing := eval.TypeName{Package: reflect.TypeFor[shapes.Thing]().PkgPath(), Name: "Thing"}
	servers := `"servers":{"sent":true,"struct":{"name":"n","own":"o"}}`
	for _, section := range []string{
		`"scalars":{}`,
		`"scalars":{"string":"s","int":1,"float":2,"bool":true,"mode":"m","protocol":"p","builder":"b","fromOther":"f","zero":"z"}`,
		`"pointers":{"string":"s","int":1,"int64":0,"float":0,"bool":true,"mode":"","text":"","list":[],"twice":0}`,
		`"composites":{"policy":{},"empty":{"limits":{}},"byName":{},"policies":[{}],"pointers":[null],"matrix":[],"bytes":"","numbered":{},"modes":[""]}`,
		`"special":{"quantity":"5","quantityPtr":"0","duration":"1s","durationPtr":"0s","time":"2020-01-01T00:00:00Z","micro":"2020-01-01T00:00:00.000000Z","go":"2020-01-01T00:00:00Z","port":"named","portPtr":0,"raw":{"a":1},"message":{},"resources":{}}`,
		`"special":{"quantity":"0","duration":"0s","time":null,"port":0,"raw":null}`,
		`"nested":{"structs":[{},{"memory":"3"}],"ptrs":[{},null],"map":{"a":{},"b":{"memory":"3"}},"mapPtrs":{"a":{},"b":null},"mapLists":{"a":[{}],"b":null},"listMaps":[{"a":{}},null],"pointer":[{}],"mapArrays":{"a":[{},{"memory":"3"}]},"levels":["","x"],"levelMap":{"a":["",""]},"levelPtrs":{"a":null,"b":""},"names":[],"namesByKey":{"a":null,"b":[]},"tree":{"left":{"children":[{"name":"x"},{"byName":{"a":{}}}]}},"bare":{}}`,
		`"template":{"spec":{"containers":[{"name":"c","ports":[{"containerPort":80},{"containerPort":81,"protocol":"SCTP"}]}]}}`,
	} {
		in := `{"spec":{` + servers + `,` + section + `}}`
		var want, got shapes.Thing
		object, err := eval.Decode([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		out, notRun, err := set.Default(thing, object)
		if err != nil || len(notRun) > 0 {
			t.Fatal(err, notRun)
		}
		text, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(json.Unmarshal([]byte(in), &want), json.Unmarshal(text, &got)); err != nil {
			t.Fatal(err)
		}
		shapes.SetObjectDefaults_Thing(&want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-Go +eval)\n%s", in, diff)
		}
	}
}

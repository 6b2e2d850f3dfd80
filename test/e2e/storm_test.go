package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The storm writes databases in all versions, by all verbs, while the storage version changes, and
// compares what each version shows with a model of the laws of conversion.

const (
	stormNamespace = "storm"
	stormObjects   = 12
)

var (
	stormWrites = flag.Int("writes", 40, "writes of each object in the storm")
	stormSeed   = flag.Uint64("seed", 1, "seed of the storm")
)

var (
	versions = []string{"v1alpha1", "v1beta1", "v1"}
	// stored are the storage versions, in the order of the storm.
	stored = []string{"v1", "v1alpha1", "v1beta1", "v1"}
)

// TestStorm writes each object many times while the storage version changes. A failure has the object's
// writes.
func TestStorm(t *testing.T) {
	if _, err := shared.kubectl("create", "namespace", stormNamespace); err != nil {
		t.Fatal(err)
	}
	watches := map[string]*watch{}
	ctx, stop := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	for _, v := range versions {
		w := &watch{version: v, seen: map[string]map[string]any{}}
		watches[v] = w
		watching.Go(func() { w.run(ctx) })
	}
	objects := make([]*modelled, stormObjects)
	for i := range objects {
		objects[i] = &modelled{t: t, name: fmt.Sprintf("storm-%d", i), rand: rand.New(rand.NewPCG(*stormSeed, uint64(i)))}
		objects[i].create()
	}
	// Each version is stored for the same writes, the first of which come while the definition changes.
	for i, v := range stored {
		var writing sync.WaitGroup
		for _, o := range objects {
			writing.Go(func() { o.storm(*stormWrites*(i+1)/len(stored) - *stormWrites*i/len(stored)) })
		}
		store(t, v)
		writing.Wait()
	}
	for _, o := range objects {
		for _, v := range versions {
			o.check(v)
		}
	}
	for _, v := range versions {
		checkList(t, v, objects)
		watches[v].check(t, objects)
	}
	stop()
	watching.Wait()
	for _, o := range objects {
		o.request(http.MethodDelete, "v1", "", "", nil)
	}
}

// modelled is an object with the model of its content.
type modelled struct {
	t    *testing.T
	name string
	rand *rand.Rand
	// log are the writes, for failures.
	log   []string
	facts facts
}

// facts are what an object says, whatever the version.
type facts struct {
	maria    bool
	replicas int64
	// idle is the timeout in seconds, idleText how the older versions show it.
	idle     int64
	idleText string
	// policy is the deletion policy, which v1alpha1 does not have.
	policy   string
	admin    string
	backup   int64 // the number of backups to keep; 0 without backups
	users    map[string]string
	selector map[string]string
	ready    int64
	state    string
}

// storm writes the object a number of times.
func (o *modelled) storm(writes int) {
	for range writes {
		if o.t.Failed() {
			return
		}
		switch n := o.rand.IntN(20); {
		case n == 0:
			o.request(http.MethodDelete, o.version(), "", "", nil)
			o.create()
		case n < 4:
			o.status()
		default:
			o.edit()
		}
		if o.rand.IntN(2) == 0 {
			o.check(o.version())
		}
	}
}

func (o *modelled) version() string { return versions[o.rand.IntN(len(versions))] }

// create creates the object with few fields, the first time or after it was deleted.
func (o *modelled) create() {
	v := o.version()
	o.facts = facts{
		maria: o.rand.IntN(2) == 0, replicas: 1, idle: 300, idleText: "5m", policy: "Delete",
		users: map[string]string{},
	}
	engine := "Postgres"
	if o.facts.maria {
		engine = map[bool]string{true: "Maria", false: "MariaDB"}[v == "v1alpha1"]
	}
	if v == "v1alpha1" {
		o.facts.policy = "Retain" // as all databases before v1beta1
	}
	obj := o.object(v, map[string]any{"engine": engine, "version": "17.2", "storage": map[string]any{"type": "None"}})
	if o.rand.IntN(2) == 0 {
		o.request(http.MethodPatch, v, "", "application/apply-patch+yaml", obj)
	} else {
		o.request(http.MethodPost, v, "", "application/json", obj)
	}
}

func (o *modelled) object(version string, spec any) map[string]any {
	return map[string]any{
		"apiVersion": group + "/" + version, "kind": "Database",
		"metadata": map[string]any{"name": o.name, "namespace": stormNamespace}, "spec": spec,
	}
}

// edit writes one fact.
func (o *modelled) edit() {
	v := o.version()
	older, oldest := v != "v1", v == "v1alpha1"
	name := func(old bool, was, is string) string {
		if old {
			return was
		}
		return is
	}
	f := &o.facts
	for {
		switch o.rand.IntN(8) {
		case 0:
			f.replicas = o.rand.Int64N(6)
			o.write(v, f.replicas, name(oldest, "instances", "replicas"))
		case 1: // as v1 has it, or as the older versions do
			choices := []struct {
				seconds int64
				texts   []string
			}{{0, []string{"0s"}}, {60, []string{"1m", "60s"}}, {5400, []string{"1h30m", "90m", "5400s"}}, {300, []string{"5m"}}}
			c := choices[o.rand.IntN(len(choices))]
			switch {
			case older:
				f.idle, f.idleText = c.seconds, c.texts[o.rand.IntN(len(c.texts))]
				o.write(v, f.idleText, "idleTimeout")
			case f.idle == c.seconds: // not an edit: the older versions show what they did
				o.write(v, f.idle, "idleTimeoutSeconds")
			default:
				f.idle, f.idleText = c.seconds, c.texts[0]
				o.write(v, f.idle, "idleTimeoutSeconds")
			}
		case 2: // unset: the default applies
			if !older && f.idle == 300 {
				continue
			}
			f.idle, f.idleText = 300, "5m"
			o.patch(v, "", nested(nil, "spec", name(older, "idleTimeout", "idleTimeoutSeconds")))
		case 3:
			if oldest {
				continue
			}
			f.policy = []string{"Delete", "Retain"}[o.rand.IntN(2)]
			o.write(v, f.policy, "deletionPolicy")
		case 4:
			f.admin = fmt.Sprintf("admin%d", o.rand.IntN(3))
			o.write(v, f.admin, name(older, "adminUser", "deprecatedAdminUser"))
		case 5:
			f.backup = 1 + o.rand.Int64N(9)
			o.write(v, map[string]any{
				"target":                       map[string]any{"bucket": "shop", "endpoint": "s3.example.com", "credentialsSecretName": "shop"},
				name(oldest, "retain", "keep"): f.backup,
			}, "backup")
		case 6:
			user, role := fmt.Sprintf("user%d", o.rand.IntN(4)), []string{"ReadOnly", "ReadWrite", "Admin"}[o.rand.IntN(3)]
			f.users[user] = role
			o.apply(v, user, nested([]any{map[string]any{"name": user, "role": role}}, "users"))
		case 7:
			key := fmt.Sprintf("zone%d", o.rand.IntN(3))
			if _, ok := f.selector[key]; ok && o.rand.IntN(2) == 0 {
				delete(f.selector, key)
				o.patch(v, "", nested(nil, "spec", "nodeSelector", key))
				break
			}
			if f.selector == nil {
				f.selector = map[string]string{}
			}
			f.selector[key] = fmt.Sprint(o.rand.IntN(9))
			o.write(v, f.selector[key], "nodeSelector", key)
		}
		return
	}
}

// write sets a value in the spec by one of the verbs.
func (o *modelled) write(version string, value any, path ...string) {
	switch o.rand.IntN(4) {
	case 0:
		o.update(version, "", func(obj map[string]any) { set(obj, value, append([]string{"spec"}, path...)...) })
	case 1:
		o.patch(version, "", nested(value, append([]string{"spec"}, path...)...))
	case 2:
		o.request(http.MethodPatch, version, "", "application/json-patch+json", []any{
			map[string]any{"op": "test", "path": "/kind", "value": "Database"},
			map[string]any{"op": "add", "path": "/spec/" + path[0], "value": o.whole(version, value, path)},
		})
	default:
		o.apply(version, strings.Join(path, "."), nested(value, path...))
	}
}

// whole returns the first field of the path with the value set.
func (o *modelled) whole(version string, value any, path []string) any {
	obj := o.read(version)
	set(obj, value, append([]string{"spec"}, path...)...)
	return obj["spec"].(map[string]any)[path[0]]
}

// update reads the object, changes it and writes all of it.
func (o *modelled) update(version, subresource string, change func(map[string]any)) {
	obj := o.read(version)
	change(obj)
	o.request(http.MethodPut, version, subresource, "application/json", obj)
}

func (o *modelled) patch(version, subresource string, patch map[string]any) {
	o.request(http.MethodPatch, version, subresource, "application/merge-patch+json", patch)
}

// apply applies a partial object, as the manager of the one value.
func (o *modelled) apply(version, manager string, spec any) {
	o.request(http.MethodPatch, version, "?force=true&fieldManager="+manager, "application/apply-patch+yaml", o.object(version, spec))
}

// status writes the status by one of the verbs.
func (o *modelled) status() {
	v := o.version()
	f := &o.facts
	f.ready, f.state = 1+o.rand.Int64N(9), []string{"True", "False", "Unknown"}[o.rand.IntN(3)]
	status := o.expectedStatus()
	if o.rand.IntN(2) == 0 {
		o.update(v, "/status", func(obj map[string]any) { obj["status"] = status })
	} else {
		o.patch(v, "/status", map[string]any{"status": status})
	}
}

func (o *modelled) expectedStatus() map[string]any {
	if o.facts.ready == 0 {
		return nil
	}
	return map[string]any{"replicas": o.facts.ready, "conditions": []any{map[string]any{
		"type": "Ready", "status": o.facts.state, "reason": "Storm", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z",
	}}}
}

// expected returns the spec that a version shows.
func (o *modelled) expected(version string) map[string]any {
	f := o.facts
	older, oldest := version != "v1", version == "v1alpha1"
	spec := map[string]any{
		"engine": "Postgres", "version": "17.2", "storage": map[string]any{"type": "None"},
		"memory": "1Gi", "maxUnavailable": int64(1), "parameters": map[string]any{"max_connections": "100"},
		"logging": map[string]any{"level": "Info", "slowQueryThreshold": "2s", "auditing": false},
	}
	put := func(old bool, was, is string, value any) {
		if old {
			spec[was] = value
		} else {
			spec[is] = value
		}
	}
	if f.maria {
		spec["engine"] = map[bool]string{true: "Maria", false: "MariaDB"}[oldest]
	}
	put(oldest, "instances", "replicas", f.replicas)
	if older {
		spec["idleTimeout"] = f.idleText
	} else {
		spec["idleTimeoutSeconds"] = f.idle
	}
	if !oldest {
		spec["deletionPolicy"] = f.policy
	}
	if f.admin != "" {
		put(older, "adminUser", "deprecatedAdminUser", f.admin)
	}
	if f.backup != 0 {
		backup := map[string]any{
			"days": []any{"Sunday"}, "hour": int64(3), "timeout": "1h",
			"target": map[string]any{"bucket": "shop", "endpoint": "s3.example.com", "credentialsSecretName": "shop"},
		}
		backup[map[bool]string{true: "retain", false: "keep"}[oldest]] = f.backup
		spec["backup"] = backup
	}
	if len(f.users) > 0 {
		var users []any
		for _, name := range slices.Sorted(maps.Keys(f.users)) {
			users = append(users, map[string]any{"name": name, "role": f.users[name]})
		}
		spec["users"] = users
	}
	if f.selector != nil { // {} if all labels were removed
		selector := map[string]any{}
		for k, v := range f.selector {
			selector[k] = v
		}
		spec["nodeSelector"] = selector
	}
	return spec
}

// check compares what a version shows with the model.
func (o *modelled) check(version string) {
	if !o.t.Failed() {
		o.compare("get as "+version, version, o.read(version))
	}
}

func (o *modelled) compare(by, version string, got map[string]any) {
	spec, _ := got["spec"].(map[string]any)
	if users, ok := spec["users"].([]any); ok { // in the order in which they were applied
		sort.Slice(users, func(i, j int) bool { return fmt.Sprint(users[i]) < fmt.Sprint(users[j]) })
	}
	status, _ := got["status"].(map[string]any)
	diff := cmp.Diff(plain(o.expected(version)), plain(spec)) + cmp.Diff(plain(o.expectedStatus()), plain(status))
	if diff != "" {
		o.t.Errorf("%s, %s (-model +server):\n%s\n%s", o.name, by, diff, strings.Join(o.log, "\n"))
	}
}

// plain returns a value as JSON has it.
func plain(v map[string]any) (out map[string]any) {
	text, _ := json.Marshal(v)
	_ = json.Unmarshal(text, &out)
	if len(out) == 0 {
		return nil
	}
	return out
}

func (o *modelled) read(version string) map[string]any {
	return o.request(http.MethodGet, version, "", "", nil)
}

// request sends a request until the server has answered it: while a definition changes, the server is
// not ready for its objects.
func (o *modelled) request(method, version, rest, content string, body any) map[string]any {
	url := shared.URL + "/apis/" + group + "/" + version + "/namespaces/" + stormNamespace + "/databases"
	if method != http.MethodPost {
		url += "/" + o.name
	}
	if content == "application/apply-patch+yaml" && rest == "" {
		rest = "?fieldManager=creator"
	}
	url += rest
	if method != http.MethodGet {
		text, _ := json.Marshal(body)
		if obj, ok := body.(map[string]any); ok && method == http.MethodPut {
			text, _ = json.Marshal(map[string]any{"spec": obj["spec"], "status": obj["status"]})
		}
		o.log = append(o.log, fmt.Sprintf("%s %s%s %s", method, version, rest, text))
	}
	var last string
	for range 100 {
		status, answer, err := shared.exchange(method, url, content, body)
		switch {
		case err == nil && status < 300:
			return answer
		case err == nil && method == http.MethodDelete && status == http.StatusNotFound && strings.Contains(fmt.Sprint(answer["message"]), o.name):
			return nil
		case err == nil && method == http.MethodPost && status == http.StatusConflict:
			return nil // an earlier try was stored
		case err == nil && (status < 404 || status == http.StatusUnprocessableEntity):
			o.t.Errorf("%s: %d %v\n%s", o.name, status, answer["message"], strings.Join(o.log, "\n"))
			return map[string]any{"spec": map[string]any{}}
		}
		last = fmt.Sprint(status, " ", answer["message"], " ", err)
		time.Sleep(100 * time.Millisecond)
	}
	o.t.Errorf("%s: %s %s: %s\n%s", o.name, method, url, last, strings.Join(o.log, "\n"))
	return map[string]any{"spec": map[string]any{}}
}

// set sets a value below nested keys.
func set(obj map[string]any, value any, path ...string) {
	for _, key := range path[:len(path)-1] {
		below, ok := obj[key].(map[string]any)
		if !ok {
			below = map[string]any{}
			obj[key] = below
		}
		obj = below
	}
	obj[path[len(path)-1]] = value
}

func nested(value any, path ...string) map[string]any {
	obj := map[string]any{}
	set(obj, value, path...)
	return obj
}

// store makes a version the storage version.
func store(t *testing.T, version string) {
	t.Helper()
	var patch []any
	for i, v := range []string{"v1", "v1beta1", "v1alpha1"} { // by priority, as the definition has them
		path := fmt.Sprintf("/spec/versions/%d/", i)
		patch = append(patch, map[string]any{"op": "test", "path": path + "name", "value": v},
			map[string]any{"op": "replace", "path": path + "storage", "value": v == version})
	}
	text, _ := json.Marshal(patch)
	if _, err := shared.kubectl("patch", "crd", "databases."+group, "--type=json", "-p", string(text)); err != nil {
		t.Error(err)
	}
}

// checkList compares the objects in a list with the model.
func checkList(t *testing.T, version string, objects []*modelled) {
	t.Helper()
	_, list, err := shared.exchange(http.MethodGet, shared.URL+"/apis/"+group+"/"+version+"/namespaces/"+stormNamespace+"/databases", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	items, _ := list["items"].([]any)
	if len(items) != len(objects) {
		t.Errorf("the list as %s has %d objects, want %d", version, len(items), len(objects))
	}
	for _, item := range items {
		item := item.(map[string]any)
		i := slices.IndexFunc(objects, func(o *modelled) bool { return o.name == item["metadata"].(map[string]any)["name"] })
		objects[i].compare("list as "+version, version, item)
	}
}

// watch follows all objects in a version.
type watch struct {
	version string
	mu      sync.Mutex
	seen    map[string]map[string]any
}

// run lists and watches until the context is done; when the definition changes, the server ends watches.
func (w *watch) run(ctx context.Context) {
	url := shared.URL + "/apis/" + group + "/" + w.version + "/namespaces/" + stormNamespace + "/databases"
	for ctx.Err() == nil {
		_, list, err := shared.exchange(http.MethodGet, url, "", nil)
		meta, ok := list["metadata"].(map[string]any)
		if err != nil || !ok || list["kind"] != "DatabaseList" {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		items, _ := list["items"].([]any)
		w.mu.Lock()
		w.seen = map[string]map[string]any{}
		w.mu.Unlock()
		for _, item := range items {
			w.keep("ADDED", item.(map[string]any))
		}
		_ = w.follow(ctx, fmt.Sprintf("%s?watch=1&resourceVersion=%v", url, meta["resourceVersion"]))
	}
}

// follow keeps the objects of one watch's events.
func (w *watch) follow(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := shared.Client().Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var event struct {
			Type   string         `json:"type"`
			Object map[string]any `json:"object"`
		}
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			return err
		}
		if event.Type == "ERROR" {
			return errors.New("the watch ended")
		}
		w.keep(event.Type, event.Object)
	}
	return lines.Err()
}

func (w *watch) keep(event string, obj map[string]any) {
	name := fmt.Sprint(obj["metadata"].(map[string]any)["name"])
	w.mu.Lock()
	defer w.mu.Unlock()
	if event == "DELETED" {
		delete(w.seen, name)
	} else {
		w.seen[name] = obj
	}
}

// check waits until the watch has the objects as they are, and compares them with the model.
func (w *watch) check(t *testing.T, objects []*modelled) {
	t.Helper()
	for _, o := range objects {
		want := o.read(w.version)["metadata"].(map[string]any)["resourceVersion"]
		deadline := time.Now().Add(20 * time.Second)
		for {
			w.mu.Lock()
			got := w.seen[o.name]
			w.mu.Unlock()
			if got != nil && got["metadata"].(map[string]any)["resourceVersion"] == want {
				o.compare("watch as "+w.version, w.version, got)
				break
			}
			if time.Now().After(deadline) {
				t.Errorf("the watch as %s does not have %s at resourceVersion %v", w.version, o.name, want)
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

package registry

import (
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	dbv1beta1 "github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
)

const manifest = `{"apiVersion": "db.example.com/v1beta1", "kind": "Database", "metadata": {"name": "a"},
  "spec": {"engine": "Postgres", "version": "17.2", "idleTimeout": "90s", "storage": {"type": "None"}}}`

// decode decodes a request to the version in memory, as the server does.
func decode(t *testing.T, text string) *dbv1.Database {
	t.Helper()
	obj, err := runtime.Decode(Codecs.UniversalDecoder(Hub), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	db := obj.(*dbv1.Database)
	rest.FillObjectMetaSystemFields(db)
	return db
}

// TestRequests makes the requests of a client of an older version, through the steps of the server's
// store.
func TestRequests(t *testing.T) {
	ctx := genericapirequest.WithRequestInfo(genericapirequest.WithNamespace(t.Context(), "shop"), &genericapirequest.RequestInfo{})

	db := decode(t, manifest)
	if err := rest.BeforeCreate(Strategy, ctx, db); err != nil {
		t.Fatal(err)
	}
	if db.Spec.Replicas == nil || db.Spec.IdleTimeoutSeconds == nil || *db.Spec.IdleTimeoutSeconds != 90 {
		t.Errorf("defaults are not set, or values are not converted: %+v", db.Spec)
	}
	out, err := runtime.Encode(Codecs.LegacyCodec(dbv1beta1.GroupVersion), db)
	if err != nil || !strings.Contains(string(out), `"idleTimeout":"90s"`) {
		t.Errorf("the answer is %s, %v", out, err)
	}

	bad := decode(t, strings.Replace(manifest, `"17.2"`, `""`, 1))
	wantCause(t, rest.BeforeCreate(Strategy, ctx, bad), "spec.version", metav1.CauseTypeFieldValueRequired)

	updated := db.DeepCopy()
	updated.ResourceVersion, updated.Spec.Engine = "1", dbv1.EngineMySQL
	wantCause(t, rest.BeforeUpdate(Strategy, ctx, updated, db), "spec.engine", metav1.CauseTypeFieldValueInvalid)

	updated = db.DeepCopy()
	updated.ResourceVersion, updated.Status.Replicas = "1", 3
	if err := rest.BeforeUpdate(Strategy, ctx, updated, db); err != nil || updated.Status.Replicas != 0 {
		t.Errorf("%v; the status is %+v", err, updated.Status)
	}

	// A member that the client sends and its discriminator deselects is removed, with a warning.
	old := db.DeepCopy()
	old.Spec.Storage = dbv1.Storage{Type: dbv1.StoragePersistentVolume, PersistentVolume: &dbv1.PersistentVolumeStorage{}}
	updated = db.DeepCopy()
	updated.ResourceVersion, updated.Spec.Storage.ObjectStorage = "1", &dbv1.ObjectStorage{Bucket: "b"}
	var warnings recorder
	if err := rest.BeforeUpdate(Strategy, warning.WithWarningRecorder(ctx, &warnings), updated, old); err != nil || updated.Spec.Storage.ObjectStorage != nil {
		t.Errorf("%v; the storage is %+v", err, updated.Spec.Storage)
	}
	if want := []string{`spec.storage.objectStorage was removed: type is set to "None"`}; !slices.Equal(warnings, want) {
		t.Errorf("the warnings are %v, want %v", warnings, want)
	}
}

// recorder records warnings.
type recorder []string

func (r *recorder) AddWarning(_, text string) { *r = append(*r, text) }

func wantCause(t *testing.T, err error, path string, cause metav1.CauseType) {
	t.Helper()
	status, ok := err.(apierrors.APIStatus)
	if !ok {
		t.Fatalf("the error is %v, want one of type %s at %s", err, cause, path)
	}
	for _, c := range status.Status().Details.Causes {
		if c.Field == path && c.Type == cause {
			return
		}
	}
	t.Errorf("the causes are %v, want type %s at %s", status.Status().Details.Causes, cause, path)
}

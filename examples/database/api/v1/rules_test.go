package v1_test

import (
	"slices"
	"strings"
	"testing"

	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
)

// database returns a valid database with all fields that the tests invalidate.
func database() *v1.Database {
	bucket := v1.ObjectStorage{Bucket: "backups", Endpoint: "s3.example.com", CredentialsSecretName: "bucket"}
	return &v1.Database{
		Spec: v1.DatabaseSpec{
			Engine: v1.EnginePostgres, Version: "17",
			Storage:     v1.Storage{Type: v1.StorageObjectStorage, ObjectStorage: &bucket},
			Users:       []v1.User{{Name: "app"}},
			Backup:      &v1.Backup{Target: bucket.DeepCopy()},
			RestoreFrom: &v1.BackupReference{Database: "old"},
		},
	}
}

func class() *v1.DatabaseClass {
	secret := "secret"
	return &v1.DatabaseClass{Spec: v1.DatabaseClassSpec{
		ControllerName: "example.com/operator",
		ParametersRef:  &schedulingv1alpha3.TypedLocalObjectReference{Kind: "Parameters", Name: "fast"},
		Scheduling:     &schedulingv1alpha3.PodGroupSchedulingConstraints{Topology: []schedulingv1alpha3.TopologyConstraint{{Key: "rack"}}},
		ResourceClaims: []schedulingv1alpha3.PodGroupResourceClaim{{Name: "net", ResourceClaimName: &secret}},
	}}
}

// defaulted lists the fields of database and class that have defaults. They are
// unset only in objects that were not defaulted.
var defaulted = map[string][]string{
	"Database": {
		"spec.replicas", "spec.memory", "spec.maxUnavailable", "spec.users[0].role", "spec.parameters", "spec.idleTimeoutSeconds", "spec.logging",
		"spec.backup.days", "spec.backup.hour", "spec.backup.timeout", "spec.backup.keep", "spec.deletionPolicy",
	},
	"DatabaseClass": {"spec.maxReplicas"},
}

// TestDefaultsAreRequired validates objects that were not defaulted.
func TestDefaultsAreRequired(t *testing.T) {
	scheme := newScheme(t)
	for kind, obj := range map[string]runtime.Object{"Database": database(), "DatabaseClass": class()} {
		var got []string
		for _, e := range v1.ValidationCoverage.Validate(t.Context(), scheme, obj) {
			if e.Type != "FieldValueRequired" {
				t.Errorf("%s: %v", kind, e)
			}
			got = append(got, e.Field)
		}
		if want := defaulted[kind]; !slices.Equal(got, want) {
			t.Errorf("required are\n%v\nnot\n%v", got, want)
		}
	}
	logging := database()
	logging.Spec.Logging = &v1.Logging{}
	errs := v1.ValidationCoverage.Validate(t.Context(), scheme, logging)
	for _, path := range []string{"spec.logging.level", "spec.logging.auditing"} {
		if !slices.Contains(strings.Fields(strings.ReplaceAll(errs.ToAggregate().Error(), ":", " ")), path) {
			t.Errorf("%s is not required", path)
		}
	}
}

// TestRules breaks one rule at a time.
func TestRules(t *testing.T) {
	scheme := newScheme(t)
	check := func(obj runtime.Object, want string) {
		t.Helper()
		scheme.Default(obj)
		var got []string
		for _, e := range v1.ValidationCoverage.Validate(t.Context(), scheme, obj) {
			name := e.Origin
			if name == "" {
				name = strings.TrimPrefix(string(e.Type), "FieldValue")
			}
			got = append(got, e.Field+" "+name)
		}
		if !slices.Equal(got, []string{want}) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	long := strings.Repeat("x", 300)
	for want, spoil := range map[string]func(*v1.DatabaseSpec){
		"spec.storage.objectStorage.bucket Required":                            func(s *v1.DatabaseSpec) { s.Storage.ObjectStorage.Bucket = "" },
		"spec.storage.objectStorage.endpoint Required":                          func(s *v1.DatabaseSpec) { s.Storage.ObjectStorage.Endpoint = "" },
		"spec.storage.objectStorage.credentialsSecretName Required":             func(s *v1.DatabaseSpec) { s.Storage.ObjectStorage.CredentialsSecretName = "" },
		"spec.storage.objectStorage.credentialsSecretName format=k8s-long-name": func(s *v1.DatabaseSpec) { s.Storage.ObjectStorage.CredentialsSecretName = "A" },
		"spec.users[0].schemas maxItems":                                        func(s *v1.DatabaseSpec) { s.Users[0].Schemas = strings.Split(strings.Repeat("x", 17), "") },
		"spec.users[0].schemas[0] maxLength":                                    func(s *v1.DatabaseSpec) { s.Users[0].Schemas = []string{long} },
		"spec.extensions[0] maxLength":                                          func(s *v1.DatabaseSpec) { s.Extensions = []string{long} },
		"spec.idleTimeoutSeconds minimum":                                       func(s *v1.DatabaseSpec) { s.IdleTimeoutSeconds = new(int32(-1)) },
		"spec.backup.days maxItems":                                             func(s *v1.DatabaseSpec) { s.Backup.Days = make([]v1.Weekday, 8) },
		"spec.backup.hour minimum":                                              func(s *v1.DatabaseSpec) { s.Backup.Hour = new(int32(-1)) },
		"spec.backup.target.bucket Required":                                    func(s *v1.DatabaseSpec) { s.Backup.Target.Bucket = "" },
		"spec.backup.target.bucket minLength":                                   func(s *v1.DatabaseSpec) { s.Backup.Target.Bucket = "b" },
		"spec.backup.target.bucket format=k8s-short-name":                       func(s *v1.DatabaseSpec) { s.Backup.Target.Bucket = "Bucket" },
		"spec.backup.target.endpoint Required":                                  func(s *v1.DatabaseSpec) { s.Backup.Target.Endpoint = "" },
		"spec.backup.target.endpoint format=k8s-long-name":                      func(s *v1.DatabaseSpec) { s.Backup.Target.Endpoint = "a_b" },
		"spec.backup.target.credentialsSecretName Required":                     func(s *v1.DatabaseSpec) { s.Backup.Target.CredentialsSecretName = "" },
		"spec.backup.target.credentialsSecretName format=k8s-long-name":         func(s *v1.DatabaseSpec) { s.Backup.Target.CredentialsSecretName = "A" },
		"spec.restoreFrom.database Required":                                    func(s *v1.DatabaseSpec) { s.RestoreFrom.Database = "" },
		"spec.restoreFrom.database format=k8s-long-name":                        func(s *v1.DatabaseSpec) { s.RestoreFrom.Database = "A" },
		"spec.allowedAddresses maxItems":                                        func(s *v1.DatabaseSpec) { s.AllowedAddresses = make([]string, 65) },
	} {
		obj := database()
		spoil(&obj.Spec)
		check(obj, want)
	}
	volume := database()
	volume.Spec.Storage = v1.Storage{Type: v1.StoragePersistentVolume, PersistentVolume: &v1.PersistentVolumeStorage{StorageClassName: new("A")}}
	volume.Spec.Storage.PersistentVolume.Size = new(resource.MustParse("1Gi"))
	check(volume, "spec.storage.persistentVolume.storageClassName format=k8s-long-name")

	status := database()
	status.Status.ObservedGeneration = -1
	check(status, "status.observedGeneration minimum")

	claims := make([]schedulingv1alpha3.PodGroupResourceClaim, 5)
	for want, spoil := range map[string]func(*v1.DatabaseClassSpec){
		"spec.engines maxItems":                                func(s *v1.DatabaseClassSpec) { s.Engines = make([]v1.Engine, 9) },
		"spec.maxReplicas maximum":                             func(s *v1.DatabaseClassSpec) { s.MaxReplicas = new(int32(16)) },
		"spec.parametersRef.kind format=k8s-path-segment-name": func(s *v1.DatabaseClassSpec) { s.ParametersRef.Kind = "a/b" },
		"spec.parametersRef.name Required":                     func(s *v1.DatabaseClassSpec) { s.ParametersRef.Name = "" },
		"spec.scheduling.topology[0].key Required":             func(s *v1.DatabaseClassSpec) { s.Scheduling.Topology[0].Key = "" },
		"spec.resourceClaims maxItems":                         func(s *v1.DatabaseClassSpec) { s.ResourceClaims = claims },
		"spec.resourceClaims[0].name Required":                 func(s *v1.DatabaseClassSpec) { s.ResourceClaims[0].Name = "" },
		"spec.resourceClaims[0].resourceClaimName format=k8s-long-name": func(s *v1.DatabaseClassSpec) {
			s.ResourceClaims[0].ResourceClaimName = new("A")
		},
		"spec.resourceClaims[0].resourceClaimTemplateName format=k8s-long-name": func(s *v1.DatabaseClassSpec) {
			s.ResourceClaims[0].ResourceClaimName, s.ResourceClaims[0].ResourceClaimTemplateName = nil, new("A")
		},
	} {
		obj := class()
		spoil(&obj.Spec)
		check(obj, want)
	}
}

package handwritten

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
)

func (v *validation) storage(at *field.Path, storage, old *dbv1.Storage) {
	if v.required(at.Child("type"), storage.Type != "") {
		oneOf(v, at.Child("type"), storage.Type, dbv1.StoragePersistentVolume, dbv1.StorageObjectStorage, dbv1.StorageNone)
	}
	// Another type selects no member.
	v.selected(at.Child("persistentVolume"), storage.PersistentVolume != nil, storage.Type == dbv1.StoragePersistentVolume)
	v.selected(at.Child("objectStorage"), storage.ObjectStorage != nil, storage.Type == dbv1.StorageObjectStorage)
	if storage.PersistentVolume != nil {
		v.persistentVolume(at.Child("persistentVolume"), storage.PersistentVolume, old.PersistentVolume)
	}
	if storage.ObjectStorage != nil {
		v.objectStorage(at.Child("objectStorage"), storage.ObjectStorage)
	}
}

// selected checks a member of the storage union: it is set if and only if the
// type selects it.
func (v *validation) selected(at *field.Path, set, selected bool) {
	switch {
	case set && !selected:
		v.add(field.Invalid(at, "", "type selects other storage").WithOrigin("union"))
	case !set && selected:
		v.add(field.Invalid(at, "", "type selects this storage").WithOrigin("union"))
	}
}

func (v *validation) persistentVolume(at *field.Path, volume, old *dbv1.PersistentVolumeStorage) {
	v.required(at.Child("size"), volume.Size != nil)
	// If there were no volumes before, their class has not changed.
	same := old == nil || equalPointers(volume.StorageClassName, old.StorageClassName)
	if v.unchanged(at.Child("storageClassName"), same) && volume.StorageClassName != nil {
		v.longName(at.Child("storageClassName"), *volume.StorageClassName)
	}
}

func (v *validation) objectStorage(at *field.Path, bucket *dbv1.ObjectStorage) {
	if v.required(at.Child("bucket"), bucket.Bucket != "") {
		v.minLength(at.Child("bucket"), bucket.Bucket, 3)
		v.shortName(at.Child("bucket"), bucket.Bucket)
	}
	if v.required(at.Child("endpoint"), bucket.Endpoint != "") {
		v.longName(at.Child("endpoint"), bucket.Endpoint)
	}
	if v.required(at.Child("credentialsSecretName"), bucket.CredentialsSecretName != "") {
		v.longName(at.Child("credentialsSecretName"), bucket.CredentialsSecretName)
	}
}

func (v *validation) backup(at *field.Path, backup *dbv1.Backup) {
	days := at.Child("days")
	if v.required(days, len(backup.Days) > 0) && v.maxItems(days, len(backup.Days), 7) {
		unique(v, days, backup.Days, func(day dbv1.Weekday) dbv1.Weekday { return day })
		for i, day := range backup.Days {
			oneOf(v, days.Index(i), day,
				dbv1.Monday, dbv1.Tuesday, dbv1.Wednesday, dbv1.Thursday, dbv1.Friday, dbv1.Saturday, dbv1.Sunday)
		}
	}
	v.between(at.Child("hour"), backup.Hour, 0, 23)
	v.required(at.Child("timeout"), backup.Timeout != nil)
	if v.required(at.Child("keep"), backup.Keep != nil) {
		v.atLeast(at.Child("keep"), int64(*backup.Keep), 1)
	}
	if v.required(at.Child("target"), backup.Target != nil) {
		v.objectStorage(at.Child("target"), backup.Target)
	}
}

func (v *validation) backupReference(at *field.Path, reference *dbv1.BackupReference) {
	if v.required(at.Child("database"), reference.Database != "") {
		v.longName(at.Child("database"), reference.Database)
	}
	if reference.BackupID != "" {
		v.uuid(at.Child("backupID"), reference.BackupID)
	}
}

package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Storage is where a database keeps its data. Only the field that type selects
// is set.
type Storage struct {
	// type is the kind of storage.
	//
	// +k8s:required
	// +k8s:unionDiscriminator
	Type StorageType `json:"type"`

	// persistentVolume is a volume for each instance.
	//
	// +k8s:optional
	// +k8s:unionMember
	PersistentVolume *PersistentVolumeStorage `json:"persistentVolume,omitempty"`

	// objectStorage is a bucket that all instances share.
	//
	// +k8s:optional
	// +k8s:unionMember
	ObjectStorage *ObjectStorage `json:"objectStorage,omitempty"`
}

// StorageType is a kind of storage.
//
// +k8s:enum
type StorageType string

const (
	// StoragePersistentVolume keeps data on a volume for each instance.
	StoragePersistentVolume StorageType = "PersistentVolume"
	// StorageObjectStorage keeps data in a bucket.
	StorageObjectStorage StorageType = "ObjectStorage"
	// StorageNone keeps data in memory: it is lost when the last instance stops.
	StorageNone StorageType = "None"
)

// PersistentVolumeStorage is a volume for each instance.
type PersistentVolumeStorage struct {
	// size is the size of each volume.
	//
	// +k8s:required
	Size *resource.Quantity `json:"size,omitempty"`

	// storageClassName is the StorageClass of the volumes. If not set, the cluster's
	// default class is used.
	//
	// +k8s:optional
	// +k8s:immutable
	// +k8s:format=k8s-long-name
	StorageClassName *string `json:"storageClassName,omitempty"`
}

// ObjectStorage is a bucket.
type ObjectStorage struct {
	// bucket is the name of the bucket.
	//
	// +k8s:required
	// +k8s:minLength=3
	// +k8s:format=k8s-short-name
	Bucket string `json:"bucket"`

	// endpoint is the host that serves the bucket.
	//
	// +k8s:required
	// +k8s:format=k8s-long-name
	Endpoint string `json:"endpoint"`

	// credentialsSecretName is the Secret with the keys "accessKey" and "secretKey".
	//
	// +k8s:required
	// +k8s:format=k8s-long-name
	CredentialsSecretName string `json:"credentialsSecretName"`
}

// Backup configures when a database is backed up and how many backups are kept.
type Backup struct {
	// days are the days of the week on which a backup is taken.
	//
	// +default=["Sunday"]
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:minItems=1
	// +k8s:maxItems=7
	Days []Weekday `json:"days,omitempty"`

	// hour is the hour of the day at which a backup is taken, in UTC.
	//
	// +default=3
	// +k8s:optional
	// +k8s:minimum=0
	// +k8s:maximum=23
	Hour *int32 `json:"hour,omitempty"`

	// timeout is how long a backup may take.
	//
	// +default="1h"
	// +k8s:optional
	Timeout *metav1.Duration `json:"timeout,omitempty"`

	// keep is the number of backups to keep. Older ones are deleted.
	//
	// +default=7
	// +k8s:optional
	// +k8s:minimum=1
	// +versioned:changed(since: "v1beta1", fromName: "retain")
	Keep *int32 `json:"keep,omitempty"`

	// target is the bucket that backups are written to.
	//
	// +k8s:required
	Target *ObjectStorage `json:"target"`
}

// Weekday is a day of the week.
//
// +k8s:enum
type Weekday string

// The days of the week.
const (
	Monday    Weekday = "Monday"
	Tuesday   Weekday = "Tuesday"
	Wednesday Weekday = "Wednesday"
	Thursday  Weekday = "Thursday"
	Friday    Weekday = "Friday"
	Saturday  Weekday = "Saturday"
	Sunday    Weekday = "Sunday"
)

// BackupReference names a backup of a database.
type BackupReference struct {
	// database is the name of the database that was backed up.
	//
	// +k8s:required
	// +k8s:format=k8s-long-name
	Database string `json:"database"`

	// backupID is the backup's ID, a lower-case UUID. If not set, the newest backup
	// is used.
	//
	// +k8s:optional
	// +k8s:format=k8s-uuid
	BackupID string `json:"backupID,omitempty"`
}

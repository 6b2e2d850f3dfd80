package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=db,categories={all,data}
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:selectablefield:JSONPath=.spec.engine
// +kubebuilder:selectablefield:JSONPath=.spec.deletionPolicy
// +kubebuilder:printcolumn:name="Engine",type=string,JSONPath=`.spec.engine`
// +kubebuilder:printcolumn:name="Version",type=string,JSONPath=`.spec.version`
// +kubebuilder:printcolumn:name="Replicas",type=integer,JSONPath=`.spec.replicas`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Endpoint",type=string,JSONPath=`.status.endpoint`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +k8s:supportsSubresource="/status"

// Database is a database server: one writable instance, and as many read-only
// copies of it as there are further replicas.
type Database struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard metadata of an object.
	//
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is the database that is wanted.
	//
	// +required
	Spec DatabaseSpec `json:"spec"`

	// status is the database as it was last seen.
	//
	// +optional
	Status DatabaseStatus `json:"status,omitzero"`
}

// +kubebuilder:object:root=true

// DatabaseList is a list of databases.
type DatabaseList struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard metadata of a list.
	//
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`

	// items are the databases.
	//
	// +required
	Items []Database `json:"items"`
}

// DatabaseSpec is a database that is wanted.
type DatabaseSpec struct {
	// engine is the software that serves the database. It cannot be changed:
	// dump the database and load it into a new one instead.
	//
	// +k8s:required
	// +k8s:immutable
	Engine Engine `json:"engine"`

	// version is the engine's version, such as "17.2". A database is upgraded by
	// changing it.
	//
	// +k8s:required
	// +k8s:maxLength=32
	// +k8s:format=k8s-label-value
	Version string `json:"version"`

	// className is the DatabaseClass that says how the database is run. When it
	// is not set the cluster's default class is used.
	//
	// +k8s:optional
	// +k8s:immutable
	// +k8s:format=k8s-long-name
	ClassName *string `json:"className,omitempty"`

	// replicas is the number of instances. With 0 the database is stopped; its
	// storage is kept.
	//
	// +default=1
	// +k8s:optional
	// +k8s:minimum=0
	// +k8s:maximum=15
	// +versioned:changed(since: "v1beta1", fromName: "instances")
	Replicas *int32 `json:"replicas,omitempty"`

	// memory is the main memory of each instance.
	//
	// +default="1Gi"
	// +k8s:optional
	Memory *resource.Quantity `json:"memory,omitempty"`

	// maxUnavailable is how many instances may be down at the same time while the
	// database is updated: a number, or a percentage of the replicas such as "50%".
	//
	// +default=1
	// +k8s:optional
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`

	// storage is where the database keeps its data.
	//
	// +required
	Storage Storage `json:"storage"`

	// users are the accounts of the database.
	//
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=32
	Users []User `json:"users,omitempty"`

	// parameters are settings of the engine, by name. What they mean is described
	// in the engine's manual.
	//
	// +default={"max_connections":"100"}
	// +k8s:optional
	// +k8s:eachKey=+k8s:maxLength=63
	// +k8s:eachVal=+k8s:maxLength=256
	Parameters map[string]string `json:"parameters,omitempty"`

	// extensions are the engine's extensions to load, in no particular order.
	//
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=16
	// +k8s:eachVal=+k8s:minLength=1
	// +k8s:eachVal=+k8s:maxLength=63
	Extensions []string `json:"extensions,omitempty"`

	// idleTimeoutSeconds is how long a connection may go without a query before it
	// is closed. With 0 it stays open.
	//
	// +versioned:changed(since: "v1", fromName: "idleTimeout", fromType: "string", upgradeWith: "UpgradeIdleTimeout", downgradeWith: "DowngradeIdleTimeout")
	// +versioned:until("v1beta1")=+default="5m"
	// +versioned:since("v1")=+default=300
	// +k8s:optional
	// +versioned:until("v1beta1")=+k8s:maxLength=16
	// +versioned:since("v1")=+k8s:minimum=0
	// +versioned:since("v1")=+k8s:maximum=86400
	IdleTimeoutSeconds *int32 `json:"idleTimeoutSeconds,omitempty"`

	// logging says what the instances write to their logs.
	//
	// +default={"slowQueryThreshold":"2s"}
	// +k8s:optional
	Logging *Logging `json:"logging,omitempty"`

	// backup says when the database is backed up. When it is not set, it is not.
	//
	// +k8s:optional
	Backup *Backup `json:"backup,omitempty"`

	// restoreFrom is the backup that the database is filled from when it is created.
	//
	// +k8s:optional
	// +k8s:immutable
	RestoreFrom *BackupReference `json:"restoreFrom,omitempty"`

	// allowedAddresses are the IP addresses that may connect to the database.
	// When there are none, everybody may.
	//
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=64
	// +k8s:eachVal=+k8s:format=k8s-ip
	AllowedAddresses []string `json:"allowedAddresses,omitempty"`

	// nodeSelector is the labels of the nodes that instances may run on.
	//
	// +k8s:optional
	// +k8s:maxProperties=16
	// +k8s:eachKey=+k8s:format=k8s-label-key
	// +k8s:eachVal=+k8s:format=k8s-label-value
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`

	// deletionPolicy says what becomes of the data when the database is deleted.
	//
	// +versioned:added(since: "v1beta1", default: "UpgradeDeletionPolicy")
	// +default=ref(DeletionPolicyDelete)
	// +k8s:optional
	DeletionPolicy DeletionPolicy `json:"deletionPolicy,omitempty"`

	// deprecatedAdminUser is the name of an account that may do everything.
	//
	// Deprecated: list the account under users, with the role Admin.
	//
	// +versioned:deprecated(since: "v1", note: "list the account under users, with the role Admin.")
	// +k8s:optional
	// +k8s:maxLength=63
	DeprecatedAdminUser string `json:"deprecatedAdminUser,omitempty"`

	// shards is reserved: a database has one shard, and nobody should believe that
	// setting this made it more.
	//
	// +k8s:forbidden
	Shards *int32 `json:"shards,omitempty"`
}

// Engine is the software that serves a database.
//
// +k8s:enum
type Engine string

const (
	// EnginePostgres is PostgreSQL.
	EnginePostgres Engine = "Postgres"
	// EngineMySQL is MySQL.
	EngineMySQL Engine = "MySQL"
	// EngineMariaDB is MariaDB.
	//
	// +versioned:changed(since: "v1beta1", fromName: "Maria")
	EngineMariaDB Engine = "MariaDB"
	// EngineSQLite is what the controller's own tests run on. It is not offered
	// to anybody.
	//
	// +k8s:enumExclude
	EngineSQLite Engine = "SQLite"
)

// DeletionPolicy says what becomes of a database's data when it is deleted.
//
// +k8s:enum
type DeletionPolicy string

const (
	// DeletionPolicyDelete deletes the data.
	DeletionPolicyDelete DeletionPolicy = "Delete"
	// DeletionPolicyRetain keeps the data, for somebody to pick up by hand.
	DeletionPolicyRetain DeletionPolicy = "Retain"
)

// User is an account of a database.
type User struct {
	// name is the account's name.
	//
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name"`

	// role is what the account may do.
	//
	// +k8s:optional
	Role Role `json:"role,omitempty"`

	// passwordSecretName is the Secret with the account's password under the key
	// "password". When it is not set, such a Secret is made.
	//
	// +k8s:optional
	// +k8s:format=k8s-long-name
	PasswordSecretName *string `json:"passwordSecretName,omitempty"`

	// schemas are the schemas that the role holds for; all of them when there are none.
	//
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=16
	// +k8s:eachVal=+k8s:maxLength=63
	Schemas []string `json:"schemas,omitempty"`
}

// Role is what an account may do.
//
// +default="ReadOnly"
// +k8s:enum
type Role string

const (
	// RoleReadOnly may read.
	RoleReadOnly Role = "ReadOnly"
	// RoleReadWrite may read and write.
	RoleReadWrite Role = "ReadWrite"
	// RoleAdmin may do everything.
	RoleAdmin Role = "Admin"
)

// Logging says what the instances of a database write to their logs.
type Logging struct {
	// level is the least severity that is logged.
	//
	// +k8s:optional
	Level LogLevel `json:"level,omitempty"`

	// slowQueryThreshold is how long a query takes that is logged with its plan.
	// When it is not set, none is.
	//
	// +k8s:optional
	SlowQueryThreshold *metav1.Duration `json:"slowQueryThreshold,omitempty"`

	// auditing logs who connected, and what they changed.
	//
	// +default=false
	// +k8s:optional
	Auditing *bool `json:"auditing,omitempty"`
}

// LogLevel is a severity of log messages.
//
// +default="Info"
// +k8s:enum
type LogLevel string

const (
	// LogLevelDebug is for messages that help in finding mistakes.
	LogLevelDebug LogLevel = "Debug"
	// LogLevelInfo is for messages about what happens.
	LogLevelInfo LogLevel = "Info"
	// LogLevelWarning is for messages about what may be wrong.
	LogLevelWarning LogLevel = "Warning"
)

// DatabaseStatus is a database as it was last seen.
type DatabaseStatus struct {
	// observedGeneration is the generation of the object that the rest of the
	// status is about.
	//
	// +k8s:optional
	// +k8s:minimum=0
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// replicas is the number of instances that run.
	//
	// +k8s:optional
	// +k8s:minimum=0
	Replicas int32 `json:"replicas,omitempty"`

	// selector is the label selector of the instances' pods, as text.
	//
	// +k8s:optional
	Selector string `json:"selector,omitempty"`

	// endpoint is the host and port that clients connect to.
	//
	// +k8s:optional
	// +k8s:maxLength=261
	Endpoint string `json:"endpoint,omitempty"`

	// conditions are what is known of the database's state. Ready says whether it
	// can be connected to, BackedUp whether the last backup succeeded.
	//
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

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

// Database is a database server: one writable instance and replicas-1 read-only
// copies of it.
type Database struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard metadata of an object.
	//
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is the desired state of the database.
	//
	// +required
	Spec DatabaseSpec `json:"spec"`

	// status is the observed state of the database.
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

// DatabaseSpec is the desired state of a database.
type DatabaseSpec struct {
	// engine is the software that serves the database. It is immutable: to change
	// it, dump the database and load it into a new one.
	//
	// +k8s:required
	// +k8s:immutable
	Engine Engine `json:"engine"`

	// version is the engine's version, such as "17.2". Changing it upgrades the
	// database.
	//
	// +k8s:required
	// +k8s:maxLength=32
	// +k8s:format=k8s-label-value
	Version string `json:"version"`

	// className is the DatabaseClass that configures how the database is run. If
	// not set, the cluster's default class is used.
	//
	// +k8s:optional
	// +k8s:immutable
	// +k8s:format=k8s-long-name
	ClassName *string `json:"className,omitempty"`

	// replicas is the number of instances. 0 stops the database and keeps its
	// storage.
	//
	// +default=1
	// +k8s:optional
	// +k8s:minimum=0
	// +k8s:maximum=15
	// +versioned:changed(since: "v1beta1", fromName: "instances")
	Replicas *int32 `json:"replicas,omitempty"`

	// memory is the memory of each instance.
	//
	// +default="1Gi"
	// +k8s:optional
	Memory *resource.Quantity `json:"memory,omitempty"`

	// maxUnavailable is how many instances may be unavailable during an update: a
	// number, or a percentage of the replicas such as "50%".
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

	// parameters are settings of the engine, by name. The engine's manual describes
	// them.
	//
	// +default={"max_connections":"100"}
	// +k8s:optional
	// +k8s:eachKey=+k8s:maxLength=63
	// +k8s:eachVal=+k8s:maxLength=256
	Parameters map[string]string `json:"parameters,omitempty"`

	// extensions are the engine's extensions to load, in any order.
	//
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=16
	// +k8s:eachVal=+k8s:minLength=1
	// +k8s:eachVal=+k8s:maxLength=63
	Extensions []string `json:"extensions,omitempty"`

	// idleTimeoutSeconds is how long a connection may be idle before it is closed.
	// 0 disables the timeout.
	//
	// +versioned:changed(since: "v1", fromName: "idleTimeout", fromType: "string", upgradeWith: "UpgradeIdleTimeout", downgradeWith: "DowngradeIdleTimeout")
	// +versioned:until("v1beta1")=+default="5m"
	// +versioned:since("v1")=+default=300
	// +k8s:optional
	// +versioned:until("v1beta1")=+k8s:maxLength=16
	// +versioned:since("v1")=+k8s:minimum=0
	// +versioned:since("v1")=+k8s:maximum=86400
	IdleTimeoutSeconds *int32 `json:"idleTimeoutSeconds,omitempty"`

	// logging configures the logs of the instances.
	//
	// +default={"slowQueryThreshold":"2s"}
	// +k8s:optional
	Logging *Logging `json:"logging,omitempty"`

	// backup configures backups of the database. If not set, the database is not
	// backed up.
	//
	// +k8s:optional
	Backup *Backup `json:"backup,omitempty"`

	// restoreFrom is the backup that a new database is restored from.
	//
	// +k8s:optional
	// +k8s:immutable
	RestoreFrom *BackupReference `json:"restoreFrom,omitempty"`

	// allowedAddresses are the IP addresses that may connect to the database.
	// If empty, all addresses may.
	//
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=64
	// +k8s:eachVal=+k8s:format=k8s-ip
	AllowedAddresses []string `json:"allowedAddresses,omitempty"`

	// nodeSelector selects the nodes that instances may run on, by label.
	//
	// +k8s:optional
	// +k8s:maxProperties=16
	// +k8s:eachKey=+k8s:format=k8s-label-key
	// +k8s:eachVal=+k8s:format=k8s-label-value
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`

	// deletionPolicy is what happens to the data when the database is deleted.
	//
	// +versioned:added(since: "v1beta1", default: "UpgradeDeletionPolicy")
	// +default=ref(DeletionPolicyDelete)
	// +k8s:optional
	DeletionPolicy DeletionPolicy `json:"deletionPolicy,omitempty"`

	// deprecatedAdminUser is the name of an account with all permissions.
	//
	// Deprecated: list the account under users, with the role Admin.
	//
	// +versioned:deprecated(since: "v1", note: "list the account under users, with the role Admin.")
	// +k8s:optional
	// +k8s:maxLength=63
	DeprecatedAdminUser string `json:"deprecatedAdminUser,omitempty"`

	// shards is reserved for future use: every database has one shard.
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
	// EngineSQLite is for the controller's own tests. Users cannot select it.
	//
	// +k8s:enumExclude
	EngineSQLite Engine = "SQLite"
)

// DeletionPolicy is what happens to a database's data when it is deleted.
//
// +k8s:enum
type DeletionPolicy string

const (
	// DeletionPolicyDelete deletes the data.
	DeletionPolicyDelete DeletionPolicy = "Delete"
	// DeletionPolicyRetain keeps the data for manual recovery.
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
	// "password". If not set, the controller creates a Secret.
	//
	// +k8s:optional
	// +k8s:format=k8s-long-name
	PasswordSecretName *string `json:"passwordSecretName,omitempty"`

	// schemas are the schemas that the role applies to. If empty, it applies to all.
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

// Logging configures the logs of a database's instances.
type Logging struct {
	// level is the lowest severity that is logged.
	//
	// +k8s:optional
	Level LogLevel `json:"level,omitempty"`

	// slowQueryThreshold is the duration above which a query is logged with its
	// plan. If not set, queries are not logged.
	//
	// +k8s:optional
	SlowQueryThreshold *metav1.Duration `json:"slowQueryThreshold,omitempty"`

	// auditing logs connections and changes, with the account.
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
	// LogLevelDebug is for debugging.
	LogLevelDebug LogLevel = "Debug"
	// LogLevelInfo is for normal operation.
	LogLevelInfo LogLevel = "Info"
	// LogLevelWarning is for possible problems.
	LogLevelWarning LogLevel = "Warning"
)

// DatabaseStatus is the observed state of a database.
type DatabaseStatus struct {
	// observedGeneration is the generation of the object that the status was
	// computed from.
	//
	// +k8s:optional
	// +k8s:minimum=0
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// replicas is the number of running instances.
	//
	// +k8s:optional
	// +k8s:minimum=0
	Replicas int32 `json:"replicas,omitempty"`

	// selector is the label selector of the instances' pods, in string form.
	//
	// +k8s:optional
	Selector string `json:"selector,omitempty"`

	// endpoint is the host and port that clients connect to.
	//
	// +k8s:optional
	// +k8s:maxLength=261
	Endpoint string `json:"endpoint,omitempty"`

	// conditions describe the database's state. Ready is whether it accepts
	// connections, BackedUp is whether the last backup succeeded.
	//
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Package handwritten is the validation that Database had before it had tags. A
// project that migrates to kindsmith keeps its hand-written validation while both
// run side by side. The tests check that both are equivalent.
//
// The tags cover all rules of this package, so all errors are marked as covered.
package handwritten

import (
	"context"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
)

// ValidateDatabase validates a database, or the update from old to db.
func ValidateDatabase(_ context.Context, op operation.Operation, db, old *dbv1.Database) field.ErrorList {
	v := validation{update: op.Type == operation.Update}
	if !v.update {
		old = &dbv1.Database{}
	}
	v.spec(field.NewPath("spec"), &db.Spec, &old.Spec)
	v.status(field.NewPath("status"), &db.Status)
	return v.errs.MarkCoveredByDeclarative()
}

func (v *validation) spec(at *field.Path, spec, old *dbv1.DatabaseSpec) {
	engine := at.Child("engine")
	same := v.unchanged(engine, spec.Engine == old.Engine)
	if v.required(engine, spec.Engine != "") && same {
		oneOf(v, engine, spec.Engine, dbv1.EnginePostgres, dbv1.EngineMySQL, dbv1.EngineMariaDB)
	}

	version := at.Child("version")
	if v.required(version, spec.Version != "") {
		v.maxLength(version, spec.Version, 32)
		v.labelValue(version, spec.Version)
	}

	className := at.Child("className")
	if v.unchanged(className, equalPointers(spec.ClassName, old.ClassName)) && spec.ClassName != nil {
		v.longName(className, *spec.ClassName)
	}

	v.between(at.Child("replicas"), spec.Replicas, 0, 15)
	v.required(at.Child("memory"), spec.Memory != nil)
	v.required(at.Child("maxUnavailable"), spec.MaxUnavailable != nil)
	v.storage(at.Child("storage"), &spec.Storage, &old.Storage)
	v.users(at.Child("users"), spec.Users)
	v.parameters(at.Child("parameters"), spec.Parameters)

	extensions := at.Child("extensions")
	if v.maxItems(extensions, len(spec.Extensions), 16) {
		unique(v, extensions, spec.Extensions, func(s string) string { return s })
		for i, extension := range spec.Extensions {
			v.minLength(extensions.Index(i), extension, 1)
			v.maxLength(extensions.Index(i), extension, 63)
		}
	}

	v.between(at.Child("idleTimeoutSeconds"), spec.IdleTimeoutSeconds, 0, 24*60*60)
	v.logging(at.Child("logging"), spec.Logging)
	if spec.Backup != nil {
		v.backup(at.Child("backup"), spec.Backup)
	}

	restore := at.Child("restoreFrom")
	if v.unchanged(restore, equalPointers(spec.RestoreFrom, old.RestoreFrom)) && spec.RestoreFrom != nil {
		v.backupReference(restore, spec.RestoreFrom)
	}

	addresses := at.Child("allowedAddresses")
	if v.maxItems(addresses, len(spec.AllowedAddresses), 64) {
		for i, address := range spec.AllowedAddresses {
			v.ip(addresses.Index(i), address)
		}
	}

	selector := at.Child("nodeSelector")
	if v.maxProperties(selector, len(spec.NodeSelector), 16) {
		for _, key := range sets.List(sets.KeySet(spec.NodeSelector)) {
			v.labelKey(selector, key)
			v.labelValue(selector.Key(key), spec.NodeSelector[key])
		}
	}

	policy := at.Child("deletionPolicy")
	if v.required(policy, spec.DeletionPolicy != "") {
		oneOf(v, policy, spec.DeletionPolicy, dbv1.DeletionPolicyDelete, dbv1.DeletionPolicyRetain)
	}
	v.maxLength(at.Child("deprecatedAdminUser"), spec.DeprecatedAdminUser, 63) //nolint:staticcheck // old databases have it
	if spec.Shards != nil {
		v.add(field.Forbidden(at.Child("shards"), "a database has one shard"))
	}
}

func (v *validation) users(at *field.Path, users []dbv1.User) {
	if !v.maxItems(at, len(users), 32) {
		return
	}
	unique(v, at, users, func(user dbv1.User) string { return user.Name })
	for i, user := range users {
		at := at.Index(i)
		if v.required(at.Child("name"), user.Name != "") {
			v.shortName(at.Child("name"), user.Name)
		}
		if v.required(at.Child("role"), user.Role != "") {
			oneOf(v, at.Child("role"), user.Role, dbv1.RoleReadOnly, dbv1.RoleReadWrite, dbv1.RoleAdmin)
		}
		if user.PasswordSecretName != nil {
			v.longName(at.Child("passwordSecretName"), *user.PasswordSecretName)
		}
		schemas := at.Child("schemas")
		if v.maxItems(schemas, len(user.Schemas), 16) {
			unique(v, schemas, user.Schemas, func(s string) string { return s })
			for j, schema := range user.Schemas {
				v.maxLength(schemas.Index(j), schema, 63)
			}
		}
	}
}

func (v *validation) parameters(at *field.Path, parameters map[string]string) {
	v.required(at, len(parameters) > 0)
	for _, name := range sets.List(sets.KeySet(parameters)) {
		v.maxLength(at, name, 63)
		v.maxLength(at.Key(name), parameters[name], 256)
	}
}

func (v *validation) logging(at *field.Path, logging *dbv1.Logging) {
	if !v.required(at, logging != nil) {
		return
	}
	if v.required(at.Child("level"), logging.Level != "") {
		oneOf(v, at.Child("level"), logging.Level, dbv1.LogLevelDebug, dbv1.LogLevelInfo, dbv1.LogLevelWarning)
	}
	v.required(at.Child("auditing"), logging.Auditing != nil)
}

func (v *validation) status(at *field.Path, status *dbv1.DatabaseStatus) {
	v.atLeast(at.Child("observedGeneration"), status.ObservedGeneration, 0)
	v.atLeast(at.Child("replicas"), int64(status.Replicas), 0)
	v.maxLength(at.Child("endpoint"), status.Endpoint, 261)
	seen := sets.New[string]()
	for i, condition := range status.Conditions {
		if seen.Has(condition.Type) {
			v.add(field.Duplicate(at.Child("conditions").Index(i), condition.Type))
		}
		seen.Insert(condition.Type)
	}
}

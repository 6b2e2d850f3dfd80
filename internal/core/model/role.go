package model

import "slices"

// Role is what a tag means for the shape of an API. A tag's definition states
// its role, and package lower copies it to every use of it, so that code
// outside of the tags asks for roles and spells no names. Tags without a role
// are rules on values and nothing else.
type Role string

// The roles.
const (
	// Whether a field is set.
	RoleRequired  Role = "required"
	RoleOptional  Role = "optional"
	RoleForbidden Role = "forbidden"
	RoleDefault   Role = "default"
	// RoleAutomaticDefaults publishes the defaults that follow from Go types.
	RoleAutomaticDefaults Role = "automaticDefaults"
	// RoleNoDescription leaves descriptions out of published schemas.
	RoleNoDescription Role = "noDescription"

	RoleEnum        Role = "enum"
	RoleEnumExclude Role = "enumExclude"

	// How the items of a list are told apart.
	RoleListType     Role = "listType"
	RoleListMapKey   Role = "listMapKey"
	RoleUnique       Role = "unique"
	RoleCustomUnique Role = "customUnique"

	// RoleOpaque is the role of the tag that switches off the rules of a type
	// at one place.
	RoleOpaque           Role = "opaque"
	RoleCustomValidation Role = "customValidation"

	RoleUnionMember        Role = "unionMember"
	RoleZeroOrOneOfMember  Role = "zeroOrOneOfMember"
	RoleUnionDiscriminator Role = "unionDiscriminator"
	// RoleUnionStrict checks the unions of a struct on all updates.
	RoleUnionStrict Role = "unionStrict"
	// The tags of KEP-1027: of both texts, of the newer, and of the older.
	RoleKEPDiscriminator Role = "kepDiscriminator"
	RoleKEPMember        Role = "kepMember"
	RoleDiscriminatedBy  Role = "discriminatedBy"
	RoleOlderUnion       Role = "olderUnion"
	RoleOlderMember      Role = "olderMember"

	RoleIfMode            Role = "ifMode"
	RoleModeDiscriminator Role = "modeDiscriminator"

	// The tags that apply another tag to a part of the value.
	RoleEachVal  Role = "eachVal"
	RoleEachKey  Role = "eachKey"
	RoleSubfield Role = "subfield"
	RoleItem     Role = "item"

	// The conditions: when, or how firmly, the inner tag holds.
	RoleOptionOn  Role = "optionOn"
	RoleOptionOff Role = "optionOff"
	RoleAlpha     Role = "alpha"
	RoleBeta      Role = "beta"

	// The bounds that are compared with each other.
	RoleMinimum          Role = "minimum"
	RoleMaximum          Role = "maximum"
	RoleExclusiveMinimum Role = "exclusiveMinimum"
	RoleExclusiveMaximum Role = "exclusiveMaximum"
	RoleMaxLength        Role = "maxLength"
	RoleMaxItems         Role = "maxItems"
	RoleMaxProperties    Role = "maxProperties"

	RoleIsSubresource       Role = "isSubresource"
	RoleSupportsSubresource Role = "supportsSubresource"

	// The versions of a package.
	RoleVersion       Role = "version"
	RoleTracking      Role = "tracking"
	RoleRestore       Role = "restore"
	RoleRetired       Role = "retired"
	RoleOutput        Role = "output"
	RoleAllowUnsorted Role = "allowUnsorted"
	RoleSkip          Role = "skip"
	RoleSince         Role = "since"
	RoleUntil         Role = "until"

	// What happened to an item in a version.
	RoleAdded      Role = "added"
	RoleChanged    Role = "changed"
	RoleDeprecated Role = "deprecated"
	RoleRemoved    Role = "removed"
	RoleMoved      Role = "moved"
	RoleWrapped    Role = "wrapped"
	RoleHook       Role = "hook"
	RoleSplit      Role = "split"
)

var (
	conditionRoles = []Role{RoleAlpha, RoleBeta, RoleOptionOn, RoleOptionOff}
	presenceRoles  = []Role{RoleRequired, RoleOptional, RoleForbidden}
	memberRoles    = []Role{RoleUnionMember, RoleZeroOrOneOfMember, RoleKEPMember, RoleOlderMember}
	versionRoles   = []Role{
		RoleVersion, RoleTracking, RoleRestore, RoleRetired, RoleOutput, RoleAllowUnsorted, RoleSkip, RoleSince, RoleUntil,
		RoleAdded, RoleChanged, RoleDeprecated, RoleRemoved, RoleMoved, RoleWrapped, RoleHook, RoleSplit,
	}
)

// IsCondition reports whether the tag says when, or how firmly, its inner tag holds.
func (r Role) IsCondition() bool { return slices.Contains(conditionRoles, r) }

// IsOption reports whether the tag makes its inner tag depend on an option.
func (r Role) IsOption() bool { return r == RoleOptionOn || r == RoleOptionOff }

// IsLevel reports whether the tag says how firmly its inner tag holds.
func (r Role) IsLevel() bool { return r == RoleAlpha || r == RoleBeta }

// IsPresence reports whether the tag says whether a field is set.
func (r Role) IsPresence() bool { return slices.Contains(presenceRoles, r) }

// IsMember reports whether the tag makes a field or an item the member of a union.
func (r Role) IsMember() bool { return slices.Contains(memberRoles, r) }

// IsAboutVersions reports whether the tag describes versions. Older versions do
// not have such a tag.
func (r Role) IsAboutVersions() bool { return slices.Contains(versionRoles, r) }

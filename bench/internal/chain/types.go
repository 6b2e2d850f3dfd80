// Package chain compares conversion webhooks at 2, 3 and 6 versions: kindsmith's, which takes the steps between them, and
// controller-runtime's with typed conversions to the newest version that people write by hand, which keep nothing of what the
// other version lacks.
package chain

import (
	"encoding/json"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	crconversion "sigs.k8s.io/controller-runtime/pkg/conversion"
)

// common are the fields that are the same in all versions.
type common struct {
	Engine         string            `json:"engine,omitempty"`
	Version        string            `json:"version,omitempty"`
	Replicas       *int32            `json:"replicas,omitempty"`
	MaxUnavailable string            `json:"maxUnavailable,omitempty"`
	Storage        map[string]string `json:"storage,omitempty"`
	NodeSelector   map[string]string `json:"nodeSelector,omitempty"`
	Users          []user            `json:"users,omitempty"`
}

type user struct {
	Name    string   `json:"name"`
	Secret  string   `json:"passwordSecretName,omitempty"`
	Schemas []string `json:"schemas,omitempty"`
	Role    string   `json:"role,omitempty"`
	Role1   string   `json:"role1,omitempty"`
	Role2   string   `json:"role2,omitempty"`
	Role3   string   `json:"role3,omitempty"`
	Role4   string   `json:"role4,omitempty"`
	Role5   string   `json:"role5,omitempty"`
	Role6   string   `json:"role6,omitempty"`
}

// role is the role in a version.
func (u *user) role(k int) *string {
	return []*string{&u.Role1, &u.Role2, &u.Role3, &u.Role4, &u.Role5, &u.Role6}[k]
}

// parts are the fields of a version that others have under other names.
type parts struct {
	common     *common
	memory     *string
	parameters *map[string]string
	// number is set where the idle timeout is a number, and text where it is a text.
	number *int64
	text   *string
}

type (
	spec1 struct {
		common     `json:",inline"`
		Memory     string            `json:"memory1,omitempty"`
		Parameters map[string]string `json:"parameters1,omitempty"`
		Idle       int64             `json:"idle1,omitempty"`
	}
	spec2 struct {
		common     `json:",inline"`
		Memory     string            `json:"memory2,omitempty"`
		Parameters map[string]string `json:"parameters2,omitempty"`
		Idle       string            `json:"idle2,omitempty"`
		Added      string            `json:"added2,omitempty"`
	}
	spec3 struct {
		common     `json:",inline"`
		Memory     string            `json:"memory3,omitempty"`
		Parameters map[string]string `json:"parameters3,omitempty"`
		Idle       int64             `json:"idle3,omitempty"`
		Added2     string            `json:"added2,omitempty"`
		Added      string            `json:"added3,omitempty"`
	}
	spec4 struct {
		common     `json:",inline"`
		Memory     string            `json:"memory4,omitempty"`
		Parameters map[string]string `json:"parameters4,omitempty"`
		Idle       string            `json:"idle4,omitempty"`
	}
	spec5 struct {
		common     `json:",inline"`
		Memory     string            `json:"memory5,omitempty"`
		Parameters map[string]string `json:"parameters5,omitempty"`
		Idle       int64             `json:"idle5,omitempty"`
	}
	spec6 struct {
		common     `json:",inline"`
		Memory     string            `json:"memory6,omitempty"`
		Parameters map[string]string `json:"parameters6,omitempty"`
		Idle       string            `json:"idle6,omitempty"`
		Added2     string            `json:"added2,omitempty"`
		Added3     string            `json:"added3,omitempty"`
		Added4     string            `json:"added4,omitempty"`
		Added5     string            `json:"added5,omitempty"`
		Added      string            `json:"added6,omitempty"`
	}
)

func (s *spec1) parts() (parts, int) {
	return parts{common: &s.common, memory: &s.Memory, parameters: &s.Parameters, number: &s.Idle}, 0
}

func (s *spec2) parts() (parts, int) {
	return parts{common: &s.common, memory: &s.Memory, parameters: &s.Parameters, text: &s.Idle}, 1
}

func (s *spec3) parts() (parts, int) {
	return parts{common: &s.common, memory: &s.Memory, parameters: &s.Parameters, number: &s.Idle}, 2
}

func (s *spec4) parts() (parts, int) {
	return parts{common: &s.common, memory: &s.Memory, parameters: &s.Parameters, text: &s.Idle}, 3
}

func (s *spec5) parts() (parts, int) {
	return parts{common: &s.common, memory: &s.Memory, parameters: &s.Parameters, number: &s.Idle}, 4
}

func (s *spec6) parts() (parts, int) {
	return parts{common: &s.common, memory: &s.Memory, parameters: &s.Parameters, text: &s.Idle}, 5
}

// spec is a pointer to a spec.
type spec[S any] interface {
	*S
	parts() (parts, int)
}

type status struct {
	ObservedGeneration int64  `json:"observedGeneration,omitempty"`
	Replicas           int32  `json:"replicas,omitempty"`
	Endpoint           string `json:"endpoint,omitempty"`
}

// object is a version of Database.
type object[S any] struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              S      `json:"spec"`
	Status            status `json:"status,omitempty"`
}

func (o *object[S]) DeepCopyObject() runtime.Object {
	text, _ := json.Marshal(o)
	out := &object[S]{}
	_ = json.Unmarshal(text, out)
	return out
}

// newest is the newest version, and older is another.
type newest[S any] struct{ object[S] }

func (*newest[S]) Hub() {}

type older[S any, P spec[S], N any, Q spec[N]] struct{ object[S] }

// ConvertTo converts to the newest version.
func (o *older[S, P, N, Q]) ConvertTo(hub crconversion.Hub) error {
	to := hub.(*newest[N])
	to.ObjectMeta, to.Status = o.ObjectMeta, o.Status
	copyParts(P(&o.Spec).parts)(Q(&to.Spec).parts())
	return nil
}

// ConvertFrom converts from the newest version.
func (o *older[S, P, N, Q]) ConvertFrom(hub crconversion.Hub) error {
	from := hub.(*newest[N])
	o.ObjectMeta, o.Status = from.ObjectMeta, from.Status
	copyParts(Q(&from.Spec).parts)(P(&o.Spec).parts())
	return nil
}

// copyParts returns a function that sets the fields of a version to those of another.
func copyParts(from func() (parts, int)) func(to parts, version int) {
	return func(to parts, version int) {
		p, was := from()
		*to.common, *to.memory, *to.parameters = *p.common, *p.memory, *p.parameters
		to.common.Users = make([]user, len(p.common.Users))
		for i := range p.common.Users {
			u, v := &p.common.Users[i], &to.common.Users[i]
			v.Name, v.Secret, v.Schemas, v.Role = u.Name, u.Secret, u.Schemas, u.Role
			*v.role(version) = *u.role(was)
		}
		switch {
		case p.number != nil && to.number != nil:
			*to.number = *p.number
		case p.text != nil && to.text != nil:
			*to.text = *p.text
		case p.number != nil && *p.number != 0:
			*to.text = strconv.FormatInt(*p.number, 10)
		case p.text != nil && *p.text != "":
			*to.number, _ = strconv.ParseInt(*p.text, 10, 64)
		}
	}
}

package storage

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Plan says what can be removed from a definition.
type Plan struct {
	Definition
	// Objects is the number of objects.
	Objects int `json:"objects"`
	// Removal has each version in the order of the definition.
	Removal []Removal `json:"removal"`
}

// Removal says whether a version can be removed from a definition.
type Removal struct {
	Version string `json:"version"`
	// Written is the number of objects whose last write was a request in the version. An API server does not tell in which
	// version it stores an object.
	Written int `json:"written"`
	// Fields is the number of objects whose managedFields name the version.
	Fields int `json:"fields"`
	// Writers are the field managers of these writes, sorted.
	Writers []string `json:"writers,omitempty"`
	// Blockers are the reasons why the version cannot be removed, each with what to do. Without any it can be.
	Blockers []string `json:"blockers,omitempty"`
}

// Plan reads the metadata of all objects of a definition and returns what can be removed from it. It writes nothing.
func (c *Cluster) Plan(ctx context.Context, d *Definition) (*Plan, error) {
	p := &Plan{Definition: *d}
	written, fields, writers := map[string]int{}, map[string]int{}, map[string]map[string]bool{}
	err := c.pages(ctx, d, "", func(list *metav1.PartialObjectMetadataList) error {
		p.Objects += len(list.Items)
		for i := range list.Items {
			for _, v := range named(&list.Items[i], d.group) {
				fields[v]++
			}
			version, writer := lastWrite(&list.Items[i], d.group)
			if version == "" {
				continue
			}
			written[version]++
			if writers[version] == nil {
				writers[version] = map[string]bool{}
			}
			writers[version][writer] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, v := range d.Versions {
		r := Removal{Version: v.Name, Written: written[v.Name], Writers: slices.Sorted(maps.Keys(writers[v.Name]))}
		r.Fields = fields[v.Name]
		r.Blockers = d.blockers(v, &r, p.Objects)
		p.Removal = append(p.Removal, r)
	}
	for _, v := range d.Stored {
		if !slices.ContainsFunc(d.Versions, func(o Version) bool { return o.Name == v }) { // API servers refuse such definitions today
			p.Removal = append(p.Removal, Removal{Version: v, Blockers: []string{"the definition lacks it, but objects may be stored in it: add the version again"}})
		}
	}
	return p, nil
}

func (d *Definition) blockers(v Version, r *Removal, objects int) (all []string) {
	if v.Name == d.Storage {
		return []string{"it is the storage version"}
	}
	if slices.Contains(d.Stored, v.Name) {
		all = append(all, "objects may be stored in it: run kindsmith storage run "+d.Name)
	}
	if v.Served {
		all = append(all, "it is served: set served: false, and release")
		if r.Written > 0 {
			all = append(all, fmt.Sprintf("clients write in it: move %s to another version", strings.Join(r.Writers, ", ")))
		}
	}
	if !v.Served && r.Fields > 0 {
		all = append(all, fmt.Sprintf("it is in the managedFields of %d of %d objects, and server-side apply would fail without it: run kindsmith storage run %s", r.Fields, objects, d.Name))
	}
	return all
}

// lastWrite returns the version of the request that wrote an object last, and its field manager. Both are empty if the object does
// not say it.
func lastWrite(object *metav1.PartialObjectMetadata, group string) (version, writer string) {
	var last *metav1.ManagedFieldsEntry
	for i := range object.ManagedFields {
		if f := &object.ManagedFields[i]; f.Time != nil && (last == nil || f.Time.After(last.Time.Time)) {
			last = f
		}
	}
	if last == nil {
		return "", ""
	}
	gv, err := schema.ParseGroupVersion(last.APIVersion)
	if err != nil || gv.Group != group {
		return "", ""
	}
	return gv.Version, last.Manager
}

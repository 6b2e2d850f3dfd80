package main

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/examples/database/internal/offline"
)

// tour converts an object of the oldest version to all other versions and back.
func (d *demo) tour(context.Context) error {
	const name = "v1alpha1_database_legacy.yaml"
	d.title("One object, in every version")
	d.page.text("%s is converted to v1, to v1beta1, to v1 again, and back to v1alpha1.", name)
	first, err := d.server.DecodeFile(d.sample(name))
	if err != nil {
		return err
	}
	obj := first
	for _, to := range []schema.GroupVersion{offline.V1, offline.V1Beta1, offline.V1, offline.V1Alpha1} {
		next, err := d.server.Convert(obj, to)
		if err != nil {
			return err
		}
		list, err := changesOf(obj, next)
		if err != nil {
			return err
		}
		d.page.text("")
		d.page.text("  %s", d.page.paint(bold, obj.GetObjectKind().GroupVersionKind().Version+" → "+to.Version))
		d.page.changes(list)
		obj = next
	}
	left, err := changesOf(first, obj)
	if err != nil {
		return err
	}
	d.page.text("")
	if len(left) > 0 {
		d.page.changes(left)
		return errors.New("the round trip changed the object")
	}
	all, err := values(first)
	if err != nil {
		return err
	}
	d.page.text("%s", d.page.paint(green, fmt.Sprintf("Nothing was lost: all %d values are unchanged.", len(all))))
	return nil
}

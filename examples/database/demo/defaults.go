package main

import "context"

// defaults shows the defaults of a minimal object.
func (d *demo) defaults(context.Context) error {
	const name = "v1_database_minimal.yaml"
	d.title("Defaults, before and after")
	obj, err := d.server.DecodeFile(d.sample(name))
	if err != nil {
		return err
	}
	list, err := changesOf(obj, d.server.Default(obj))
	if err != nil {
		return err
	}
	d.page.text("%s sets an engine, a version and a kind of storage. Defaulting adds:", name)
	d.page.text("")
	d.page.changes(list)
	return nil
}

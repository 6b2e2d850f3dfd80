package driver

// plannedTags are the tags of the catalogue that have no folder yet, with what
// happens meanwhile. A planned tag is a warning where it is used.
func plannedTags() map[string]string { return nil }

package driver

// plannedTags are the tags that have no folder yet, with their current effect. Using one is a
// warning.
func plannedTags() map[string]string { return nil }

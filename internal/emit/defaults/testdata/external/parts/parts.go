// Package parts has a type with its function by hand.
package parts

// Part is used by another package.
type Part struct {
	Size int `json:"size,omitempty"`
}

// SetDefaults_Part is called whether or not the package is part of the run.
func SetDefaults_Part(in *Part) {
	if in.Size == 0 {
		in.Size = 1
	}
}

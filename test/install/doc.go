// Package install rehearses a release. It serves the modules of this repository from a folder, as a
// module proxy would, and does in empty folders what docs/start/install.md tells users to do.
package install

//go:build !darwin && !linux

package launch

// lock does nothing on systems that have no lock the standard library can take.
// Processes that build at the same time then do the same work twice.
func lock(string) (unlock func(), err error) {
	return func() {}, nil
}

//go:build !darwin && !linux

package launch

// lock does nothing on systems without file locks in the standard library. Concurrent
// processes then build the same binary twice.
func lock(string) (unlock func(), err error) {
	return func() {}, nil
}

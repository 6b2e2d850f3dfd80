package launch

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// FreeAddress returns an address of this machine for a process that a test starts later. Its port is not one that systems give to
// connections: such a port may be taken until the process starts.
func FreeAddress(t testing.TB) string {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10000+rand.IntN(20000)))
		if err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no port is free")
	return ""
}

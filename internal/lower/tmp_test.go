package lower_test

import (
	"fmt"
	"math/rand"
	"runtime/debug"
	"testing"
	"os"
	"time"
	"strconv"
)

func FuzzTmp(f *testing.F) {
	seeds := readSeeds(f)
	lines := collect(seeds)
	build := dependencies(f)
	s, _ := strconv.Atoi(os.Getenv("SEED"))
	rnd := rand.New(rand.NewSource(int64(s)))
	n, slow := 0, time.Duration(0)
	end := time.Now().Add(80 * time.Second)
	msgs := map[string]int{}
	for time.Now().Before(end) {
		src := seeds[rnd.Intn(len(seeds))]
		e := make([]byte, 3*(1+rnd.Intn(4)))
		rnd.Read(e)
		src = lines.edit(src, e)
		n++
		func() {
			start := time.Now()
			defer func() {
				if d := time.Since(start); d > slow { slow = d; if d > 2*time.Second { os.WriteFile("/tmp/slow.go", []byte(src), 0o644) } }
				if r := recover(); r != nil {
					k := fmt.Sprint(r)
					st := string(debug.Stack())
					key := k + firstFrames(st)
					msgs[key]++
					if msgs[key] == 1 { os.WriteFile(fmt.Sprintf("/tmp/crash%d.txt", len(msgs)), []byte(k+"\n"+st+"\n"+src), 0o644) }
				}
			}()
			if err := compile(build, src); err != nil {
				k := "ERR " + err.Error()
				if len(k) > 60 { k = k[:60] }
				msgs[k]++
				if msgs[k] == 1 { os.WriteFile(fmt.Sprintf("/tmp/crash%d.txt", len(msgs)), []byte(err.Error()+"\n"+src), 0o644) }
			}
		}()
	}
	fmt.Println("n", n, "slow", slow, "clean", clean)
	for k, v := range msgs { fmt.Println(v, k) }
}
func firstFrames(s string) string {
	out := ""
	c := 0
	for _, l := range splitLines(s) {
		if i := index(l, "/work/main/internal/"); i >= 0 && index(l, "_test.go") < 0 && c < 2 { out += " " + l[i+20:]; c++ }
	}
	return out
}
func splitLines(s string) []string { var o []string; c := ""; for _, r := range s { if r == '\n' { o = append(o, c); c = "" } else { c += string(r) } }; return o }
func index(s, t string) int { for i := 0; i+len(t) <= len(s); i++ { if s[i:i+len(t)] == t { return i } }; return -1 }

package chain

import ("testing";"fmt")

func BenchmarkCase(b *testing.B) {
	cases, err := Cases(100)
	if err != nil { b.Fatal(err) }
	for _, c := range cases {
		d := "down"; if c.Up { d = "up" }
		b.Run(fmt.Sprintf("%s/%d/%dKB/%s/theirs", c.Shape.Name, c.Versions, c.Size>>10, d), func(b *testing.B) { f := serve(c.theirs, c.review); for b.Loop() { f() } })
		b.Run(fmt.Sprintf("%s/%d/%dKB/%s/ours", c.Shape.Name, c.Versions, c.Size>>10, d), func(b *testing.B) { f := serve(c.ours, c.review); for b.Loop() { f() } })
	}
}

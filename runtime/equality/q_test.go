package equality_test
import ("testing";"time";"k8s.io/apimachinery/pkg/api/resource"; eq "github.com/kindsmith/kindsmith/runtime/equality")
func TestQ(t *testing.T) { n := time.Now(); x := resource.MustParse("1E10612736"); t.Log("parse", time.Since(n)); n=time.Now(); y := resource.MustParse("1000m"); eq.Quantity(&x,&y); t.Log("cmp", time.Since(n)) }

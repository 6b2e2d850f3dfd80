package emit

import (
	"fmt"
	"math"

	"k8s.io/apimachinery/pkg/api/resource"
)

// ParseSize reads a number of bytes, which may have a suffix: 262144, 256Ki.
func ParseSize(text string) (int, error) {
	q, err := resource.ParseQuantity(text)
	if n := q.Value(); err == nil && n > 0 && n <= math.MaxInt32 {
		return int(n), nil
	}
	return 0, fmt.Errorf("%q is not a size; write a number of bytes, such as 262144 or 256Ki", text)
}

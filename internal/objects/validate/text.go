package validate

import (
	"fmt"
	"strings"
)

// most is the maximum number of names in a line of the summary.
const most = 5

// list joins names, and replaces those after most with their number.
func list(names []string) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

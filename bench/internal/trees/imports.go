package trees

import (
	_ "github.com/kindsmith/kindsmith/runtime/gen"          // generated code imports it
	_ "github.com/kindsmith/kindsmith/runtime/gen/equality" // generated code imports it
	_ "github.com/kindsmith/kindsmith/runtime/gen/validate" // generated code imports it
)

package trees

import (
	_ "github.com/kindsmith/kindsmith/runtime/equality" // generated code imports it
	_ "github.com/kindsmith/kindsmith/runtime/validate" // generated code imports it
)

package v1alpha1

import (
	"k8s.io/apimachinery/pkg/conversion"

	"github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/handwritten/v1beta1"
)

// Convert_v1alpha1_Window_To_v1beta1_Window makes hours of minutes, as the next version has them.
func Convert_v1alpha1_Window_To_v1beta1_Window(in *Window, out *v1beta1.Window, _ conversion.Scope) error {
	out.Hours, out.Days = int32(in.Minutes/60), in.Days
	return nil
}

// Convert_v1beta1_Window_To_v1alpha1_Window makes minutes of hours.
func Convert_v1beta1_Window_To_v1alpha1_Window(in *v1beta1.Window, out *Window, _ conversion.Scope) error {
	out.Minutes, out.Days = int64(in.Hours)*60, in.Days
	return nil
}

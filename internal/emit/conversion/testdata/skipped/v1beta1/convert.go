package v1beta1

import (
	"strings"

	"k8s.io/apimachinery/pkg/conversion"

	v1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/skipped/v1"
)

// Convert_v1beta1_ByHand_To_v1_ByHand shouts what generated code makes.
func Convert_v1beta1_ByHand_To_v1_ByHand(in *ByHand, out *v1.ByHand, s conversion.Scope) error {
	err := autoConvert_v1beta1_ByHand_To_v1_ByHand(in, out, s)
	out.A = strings.ToUpper(out.A)
	return err
}

// Convert_v1_ByHand_To_v1beta1_ByHand does not.
func Convert_v1_ByHand_To_v1beta1_ByHand(in *v1.ByHand, out *ByHand, _ conversion.Scope) error {
	out.A = strings.ToLower(in.A)
	return nil
}

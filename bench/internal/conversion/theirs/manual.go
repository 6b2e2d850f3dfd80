package theirs

import (
	"k8s.io/apimachinery/pkg/conversion"

	v1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	"github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
)

// Convert_v1beta1_DatabaseSpec_To_v1_DatabaseSpec also converts the fields that conversion-gen does not.
func Convert_v1beta1_DatabaseSpec_To_v1_DatabaseSpec(in *v1beta1.DatabaseSpec, out *v1.DatabaseSpec, s conversion.Scope) error {
	if err := autoConvert_v1beta1_DatabaseSpec_To_v1_DatabaseSpec(in, out, s); err != nil {
		return err
	}
	out.DeprecatedAdminUser = in.AdminUser //nolint:staticcheck // conversions keep deprecated fields
	var err error
	out.IdleTimeoutSeconds, err = v1.UpgradeIdleTimeout(in.IdleTimeout)
	return err
}

// Convert_v1_DatabaseSpec_To_v1beta1_DatabaseSpec also converts the fields that conversion-gen does not.
func Convert_v1_DatabaseSpec_To_v1beta1_DatabaseSpec(in *v1.DatabaseSpec, out *v1beta1.DatabaseSpec, s conversion.Scope) error {
	if err := autoConvert_v1_DatabaseSpec_To_v1beta1_DatabaseSpec(in, out, s); err != nil {
		return err
	}
	out.AdminUser = in.DeprecatedAdminUser //nolint:staticcheck // conversions keep deprecated fields
	out.IdleTimeout = v1.DowngradeIdleTimeout(in.IdleTimeoutSeconds)
	return nil
}

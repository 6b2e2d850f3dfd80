// Package skew hides the differences between the versions of apimachinery that this
// module supports, the version in go.mod and all newer ones: types that changed, and
// methods and fields that later versions added. The rest of the module does not use
// what it hides.
//
// [Known], [Option], [Map] and [Set] take the type or the field that differs.
package skew

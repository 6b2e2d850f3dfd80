// Package table has the unions of the normalisation table, in every place where
// a union can be.
//
// +groupName=table.example.com
package table

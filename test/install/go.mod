// The tests of this module install the published modules like users do. It requires none of them.
module github.com/kindsmith/kindsmith/test/install

go 1.26.0

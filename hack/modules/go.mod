// The command that owns the list of published modules. It requires no module of this
// repository, so it also runs where go.work is missing.
module github.com/kindsmith/kindsmith/hack/modules

go 1.26.0

require golang.org/x/mod v0.41.0

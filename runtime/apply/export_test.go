package apply

// TypesOf is for the reference implementation of tests.
var TypesOf = typesOf

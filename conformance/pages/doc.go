// Package pages runs the examples of diagnostic codes: each is reported for its own code, and for
// nothing once the advice of its page is followed.
package pages

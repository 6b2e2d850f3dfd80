// Package v1 has a type that is converted by hand, and nothing that is registered.
//
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
// +versioned:skip(register)
package v1

// Outer has both.
type Outer struct {
	ByHand  ByHand   `json:"byHand"`
	ByHands []ByHand `json:"byHands"`
}

// ByHand is converted by hand.
//
// +versioned:skip(conversion)
type ByHand struct {
	A string `json:"a"`
}

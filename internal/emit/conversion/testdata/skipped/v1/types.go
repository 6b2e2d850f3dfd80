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
	Derived Derived  `json:"derived"`
}

// Derived is declared as another type that changed.
type Derived Base

// Base changed.
type Base struct {
	// +versioned:changed(since: "v1", fromName: "old")
	New []string `json:"new"`
}

// ByHand is converted by hand.
//
// +versioned:skip(conversion)
type ByHand struct {
	A string `json:"a"`
}

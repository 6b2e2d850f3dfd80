package validate

import (
	"hash/maphash"
	"math/bits"
)

// Generated hash functions, the arguments of UniqueFunc and UniquePtrFunc, call
// these functions once for each key, beginning with 0:
//
//	func hashPort(p *Port) uint64 {
//		return validate.HashInt(validate.HashString(0, p.Protocol), p.Port)
//	}
//
// The order of the calls matters. Hashes differ between processes, so that clients
// cannot send lists whose items collide.

var (
	seed = maphash.MakeSeed()
	// Of seeds that hash nothing else: no value may equal a key.
	keyA = maphash.String(maphash.MakeSeed(), "")
	keyB = maphash.String(maphash.MakeSeed(), "")
)

// HashString adds a string to the hash h.
func HashString[T ~string](h uint64, v T) uint64 { return mix(h, maphash.String(seed, string(v))) }

// HashInt adds an integer of any type to the hash h.
func HashInt[T Integer](h uint64, v T) uint64 { return mix(h, uint64(v)) }

// HashBool adds a bool to the hash h.
func HashBool(h uint64, v bool) uint64 {
	if v {
		return mix(h, 1)
	}
	return mix(h, 0)
}

// HashComparable adds a value of any comparable type to the hash h. It panics
// if == panics.
func HashComparable[T comparable](h uint64, v T) uint64 { return mix(h, maphash.Comparable(seed, v)) }

// mix multiplies two numbers that are secret to the process and folds the product.
func mix(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^keyA, v^keyB)
	return hi ^ lo
}

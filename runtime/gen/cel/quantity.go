package cel

import "k8s.io/apimachinery/pkg/api/resource"

// IsQuantity reports whether Quantity succeeds.
func IsQuantity(s string) bool {
	_, err := resource.ParseQuantity(s)
	return err == nil
}

// Quantity is quantity(s).
func Quantity(s string) resource.Quantity {
	q, _ := resource.ParseQuantity(s)
	return q
}

// CompareQuantity is a.compareTo(b).
func CompareQuantity(a, b resource.Quantity) int64 { return int64(a.Cmp(b)) }

// QuantityGreater is a.isGreaterThan(b).
func QuantityGreater(a, b resource.Quantity) bool { return a.Cmp(b) > 0 }

// QuantityLess is a.isLessThan(b).
func QuantityLess(a, b resource.Quantity) bool { return a.Cmp(b) < 0 }

// QuantitySign is sign(q).
func QuantitySign(q resource.Quantity) int64 { return int64(q.Sign()) }

// QuantityIsInteger is q.isInteger(), and reports whether QuantityInteger succeeds.
func QuantityIsInteger(q resource.Quantity) bool {
	_, ok := q.AsInt64()
	return ok
}

// QuantityInteger is q.asInteger().
func QuantityInteger(q resource.Quantity) int64 {
	i, _ := q.AsInt64()
	return i
}

// QuantityFloat is q.asApproximateFloat().
func QuantityFloat(q resource.Quantity) float64 { return q.AsApproximateFloat64() }

// QuantityAdd is a.add(b).
func QuantityAdd(a, b resource.Quantity) resource.Quantity {
	sum := a.DeepCopy()
	sum.Add(b)
	return sum
}

// QuantitySub is a.sub(b).
func QuantitySub(a, b resource.Quantity) resource.Quantity {
	sum := a.DeepCopy()
	sum.Sub(b)
	return sum
}

// QuantityAddInt is a.add(i).
func QuantityAddInt(a resource.Quantity, i int64) resource.Quantity {
	return QuantityAdd(a, *resource.NewQuantity(i, resource.DecimalExponent))
}

// QuantitySubInt is a.sub(i).
func QuantitySubInt(a resource.Quantity, i int64) resource.Quantity {
	return QuantitySub(a, *resource.NewQuantity(i, resource.DecimalExponent))
}

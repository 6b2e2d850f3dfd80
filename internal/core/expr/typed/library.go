package typed

import (
	"cmp"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/kindsmith/kindsmith/internal/core/expr"
)

// Types of values that API servers add to CEL.
var (
	quantityType = cel.ObjectType("kubernetes.Quantity")
	urlType      = cel.ObjectType("kubernetes.URL")
	formatType   = cel.ObjectType("kubernetes.NamedFormat")
	semverType   = cel.ObjectType("kubernetes.Semver")
	ipType       = cel.OpaqueType("net.IP")
	cidrType     = cel.OpaqueType("net.CIDR")
)

// kinds are the types of this package that cel-go does not have.
var kinds = map[string]expr.Kind{
	quantityType.TypeName(): expr.QuantityKind,
	urlType.TypeName():      expr.URLKind,
	formatType.TypeName():   expr.FormatKind,
	semverType.TypeName():   expr.SemverKind,
	ipType.TypeName():       expr.IPKind,
	cidrType.TypeName():     expr.CIDRKind,
}

// overload is a function that API servers add to CEL, for one list of types.
type overload struct {
	id     string
	method bool
	args   []*cel.Type
	result *cel.Type
	call   func(args ...ref.Val) ref.Val
}

func fn(id string, result *cel.Type, call func(args ...ref.Val) ref.Val, args ...*cel.Type) overload {
	return overload{id: id, result: result, call: call, args: args}
}

func method(id string, result *cel.Type, call func(args ...ref.Val) ref.Val, args ...*cel.Type) overload {
	return overload{id: id, result: result, call: call, args: args, method: true}
}

// library returns the functions that API servers add to CEL, by name. The
// functions of semantic versions are declared, so that rules with them read, but
// fail when they are evaluated.
func library() map[string][]overload {
	lib := map[string][]overload{
		"url":            {fn("string_to_url", urlType, ofText(toURL), cel.StringType)},
		"isURL":          {fn("is_url_string", cel.BoolType, isValid(toURI), cel.StringType)},
		"getScheme":      {method("url_get_scheme", cel.StringType, of(urlScheme), urlType)},
		"getHost":        {method("url_get_host", cel.StringType, of(urlHost), urlType)},
		"getHostname":    {method("url_get_hostname", cel.StringType, of(urlHostname), urlType)},
		"getPort":        {method("url_get_port", cel.StringType, of(urlPort), urlType)},
		"getEscapedPath": {method("url_get_escaped_path", cel.StringType, of(urlPath), urlType)},
		"getQuery":       {method("url_get_query", cel.MapType(cel.StringType, cel.ListType(cel.StringType)), of(urlQuery), urlType)},

		"find": {method("string_find_string", cel.StringType, find, cel.StringType, cel.StringType)},
		"findAll": {
			method("string_find_all_string", cel.ListType(cel.StringType), findAll, cel.StringType, cel.StringType),
			method("string_find_all_string_int", cel.ListType(cel.StringType), findAll, cel.StringType, cel.StringType, cel.IntType),
		},

		"quantity":           {fn("string_to_quantity", quantityType, ofText(toQuantity), cel.StringType)},
		"isQuantity":         {fn("is_quantity_string", cel.BoolType, isValid(toQuantity), cel.StringType)},
		"sign":               {fn("quantity_sign", cel.IntType, of(quantitySign), quantityType)},
		"isInteger":          {method("quantity_is_integer", cel.BoolType, of(quantityIsInteger), quantityType)},
		"asInteger":          {method("quantity_get_int", cel.IntType, of(quantityAsInteger), quantityType)},
		"asApproximateFloat": {method("quantity_get_float", cel.DoubleType, of(quantityAsFloat), quantityType)},
		"add": {
			method("quantity_add", quantityType, ofQuantities(quantityAdd), quantityType, quantityType),
			method("quantity_add_int", quantityType, ofQuantities(quantityAdd), quantityType, cel.IntType),
		},
		"sub": {
			method("quantity_sub", quantityType, ofQuantities(quantitySub), quantityType, quantityType),
			method("quantity_sub_int", quantityType, ofQuantities(quantitySub), quantityType, cel.IntType),
		},
		"compareTo": {
			method("quantity_compare_to", cel.IntType, ofQuantities(compareTo), quantityType, quantityType),
			method("semver_compare_to", cel.IntType, noSemver, semverType, semverType),
		},
		"isGreaterThan": {
			method("quantity_is_greater_than", cel.BoolType, ofQuantities(isGreaterThan), quantityType, quantityType),
			method("semver_is_greater_than", cel.BoolType, noSemver, semverType, semverType),
		},
		"isLessThan": {
			method("quantity_is_less_than", cel.BoolType, ofQuantities(isLessThan), quantityType, quantityType),
			method("semver_is_less_than", cel.BoolType, noSemver, semverType, semverType),
		},

		"isIP":                 {fn("is_ip", cel.BoolType, isValid(toIP), cel.StringType)},
		"ip.isCanonical":       {fn("ip_is_canonical", cel.BoolType, ofText(ipIsCanonical), cel.StringType)},
		"family":               {method("ip_family", cel.IntType, of(ipFamily), ipType)},
		"isUnspecified":        {method("ip_is_unspecified", cel.BoolType, of(ipUnspecified), ipType)},
		"isLoopback":           {method("ip_is_loopback", cel.BoolType, of(ipLoopback), ipType)},
		"isLinkLocalMulticast": {method("ip_is_link_local_multicast", cel.BoolType, of(ipLinkLocalMulticast), ipType)},
		"isLinkLocalUnicast":   {method("ip_is_link_local_unicast", cel.BoolType, of(ipLinkLocalUnicast), ipType)},
		"isGlobalUnicast":      {method("ip_is_global_unicast", cel.BoolType, of(ipGlobalUnicast), ipType)},
		"ip": {
			fn("string_to_ip", ipType, ofText(toIP), cel.StringType),
			method("cidr_ip", ipType, of(cidrAddr), cidrType),
		},
		"string": {
			fn("ip_to_string", cel.StringType, of(ipString), ipType),
			fn("cidr_to_string", cel.StringType, of(cidrString), cidrType),
		},
		"cidr":         {fn("string_to_cidr", cidrType, ofText(toCIDR), cel.StringType)},
		"isCIDR":       {fn("is_cidr", cel.BoolType, isValid(toCIDR), cel.StringType)},
		"prefixLength": {method("cidr_prefix_length", cel.IntType, of(cidrBits), cidrType)},
		"masked":       {method("cidr_masked", cidrType, of(cidrMasked), cidrType)},
		"containsIP": {
			method("cidr_contains_ip_string", cel.BoolType, ofCIDRAnd(toIP, netip.Prefix.Contains), cidrType, cel.StringType),
			method("cidr_contains_ip_ip", cel.BoolType, ofCIDRAnd(toIP, netip.Prefix.Contains), cidrType, ipType),
		},
		"containsCIDR": {
			method("cidr_contains_cidr_string", cel.BoolType, ofCIDRAnd(toCIDR, cidrContains), cidrType, cel.StringType),
			method("cidr_contains_cidr", cel.BoolType, ofCIDRAnd(toCIDR, cidrContains), cidrType, cidrType),
		},

		"format.named": {fn("format-named", cel.OptionalType(formatType), ofText(namedFormat), cel.StringType)},
		"validate":     {method("format-validate", cel.OptionalType(cel.ListType(cel.StringType)), formatValidate, formatType, cel.StringType)},

		"indexOf":     {method("list_a_index_of_int", cel.IntType, indexOf, cel.ListType(paramA), paramA)},
		"lastIndexOf": {method("list_a_last_index_of_int", cel.IntType, lastIndexOf, cel.ListType(paramA), paramA)},
		"includes":    {method("list_includes_dyn_dyn", cel.BoolType, includes, cel.DynType, cel.DynType)},

		"semver": {
			fn("string_to_semver", semverType, noSemver, cel.StringType),
			fn("string_bool_to_semver", semverType, noSemver, cel.StringType, cel.BoolType),
		},
		"isSemver": {
			fn("is_semver_string", cel.BoolType, noSemver, cel.StringType),
			fn("is_semver_string_bool", cel.BoolType, noSemver, cel.StringType, cel.BoolType),
		},
		"major": {method("semver_major", cel.IntType, noSemver, semverType)},
		"minor": {method("semver_minor", cel.IntType, noSemver, semverType)},
		"patch": {method("semver_patch", cel.IntType, noSemver, semverType)},
	}
	for name := range formats {
		lib["format."+name] = []overload{fn("format."+name, formatType, func(...ref.Val) ref.Val { return formatOf(name) })}
	}
	for _, item := range []struct {
		name string
		t    *cel.Type
		zero ref.Val
	}{
		{"int", cel.IntType, types.Int(0)},
		{"uint", cel.UintType, types.Uint(0)},
		{"double", cel.DoubleType, types.Double(0)},
		{"duration", cel.DurationType, types.Duration{}},
		{"bool", cel.BoolType, nil},
		{"timestamp", cel.TimestampType, nil},
		{"string", cel.StringType, nil},
		{"bytes", cel.BytesType, nil},
	} {
		list := cel.ListType(item.t)
		lib["isSorted"] = append(lib["isSorted"], method("list_"+item.name+"_is_sorted_bool", cel.BoolType, isSorted, list))
		lib["min"] = append(lib["min"], method(fmt.Sprintf("list_%s_min_%[1]s", item.name), item.t, extreme("min", types.IntOne), list))
		lib["max"] = append(lib["max"], method(fmt.Sprintf("list_%s_max_%[1]s", item.name), item.t, extreme("max", types.IntNegOne), list))
		if item.zero != nil {
			lib["sum"] = append(lib["sum"], method(fmt.Sprintf("list_%s_sum_%[1]s", item.name), item.t, sum(item.zero), list))
		}
	}
	return lib
}

var paramA = cel.TypeParamType("A")

// libraryOptions declares the functions.
func libraryOptions() []cel.EnvOption {
	out := []cel.EnvOption{cel.Types(ipType), cel.Types(cidrType)}
	for name, overloads := range library() {
		var opts []cel.FunctionOpt
		for _, o := range overloads {
			binding := cel.FunctionBinding(o.call)
			switch len(o.args) {
			case 1:
				binding = cel.UnaryBinding(func(x ref.Val) ref.Val { return o.call(x) })
			case 2:
				binding = cel.BinaryBinding(func(x, y ref.Val) ref.Val { return o.call(x, y) })
			}
			if o.method {
				opts = append(opts, cel.MemberOverload(o.id, o.args, o.result, binding))
			} else {
				opts = append(opts, cel.Overload(o.id, o.args, o.result, binding))
			}
		}
		out = append(out, cel.Function(name, opts...))
	}
	return out
}

func noSemver(...ref.Val) ref.Val { return types.NewErr("semantic versions are not evaluated") }

// isValid reports whether a conversion works.
func isValid(parse func(string) ref.Val) func(...ref.Val) ref.Val {
	return ofText(func(s string) ref.Val { return types.Bool(!types.IsError(parse(s))) })
}

func find(args ...ref.Val) ref.Val {
	s, re, err := pattern(args)
	if err != nil {
		return err
	}
	return types.String(re.FindString(s))
}

func findAll(args ...ref.Val) ref.Val {
	s, re, err := pattern(args)
	if err != nil {
		return err
	}
	n := -1
	if len(args) == 3 {
		limit, ok := args[2].(types.Int)
		if !ok {
			return types.MaybeNoSuchOverloadErr(args[2])
		}
		n = int(limit)
	}
	return types.NewStringList(types.DefaultTypeAdapter, re.FindAllString(s, n))
}

func pattern(args []ref.Val) (string, *regexp.Regexp, ref.Val) {
	s, ok := args[0].(types.String)
	if !ok {
		return "", nil, types.MaybeNoSuchOverloadErr(args[0])
	}
	p, ok := args[1].(types.String)
	if !ok {
		return "", nil, types.MaybeNoSuchOverloadErr(args[1])
	}
	re, err := regexp.Compile(string(p))
	if err != nil {
		return "", nil, types.NewErr("illegal regular expression: %v", err)
	}
	return string(s), re, nil
}

// items returns the items of a list.
func items(list ref.Val) ([]ref.Val, ref.Val) {
	l, ok := list.(traits.Lister)
	if !ok {
		return nil, types.MaybeNoSuchOverloadErr(list)
	}
	var out []ref.Val
	for it := l.Iterator(); it.HasNext() == types.True; {
		out = append(out, it.Next())
	}
	return out, nil
}

func isSorted(args ...ref.Val) ref.Val {
	list, err := items(args[0])
	if err != nil {
		return err
	}
	for i := range list {
		x, ok := list[i].(traits.Comparer)
		if !ok {
			return types.MaybeNoSuchOverloadErr(list[i])
		}
		if i+1 < len(list) && x.Compare(list[i+1]) == types.IntOne {
			return types.False
		}
	}
	return types.True
}

// extreme returns the least or greatest item: no comparison with another item is worse.
func extreme(name string, worse types.Int) func(...ref.Val) ref.Val {
	return func(args ...ref.Val) ref.Val {
		list, err := items(args[0])
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return types.NewErr("%s called on empty list", name)
		}
		best := list[0]
		for _, x := range list {
			c, ok := best.(traits.Comparer)
			if !ok {
				return types.MaybeNoSuchOverloadErr(best)
			}
			if c.Compare(x) == worse {
				best = x
			}
		}
		return best
	}
}

func sum(zero ref.Val) func(...ref.Val) ref.Val {
	return func(args ...ref.Val) ref.Val {
		list, err := items(args[0])
		if err != nil {
			return err
		}
		total := zero
		for _, x := range list {
			adder, ok := total.(traits.Adder)
			if !ok {
				return types.MaybeNoSuchOverloadErr(total)
			}
			total = adder.Add(x)
		}
		return total
	}
}

func indexOf(args ...ref.Val) ref.Val {
	list, err := items(args[0])
	if err != nil {
		return err
	}
	for i, x := range list {
		if x.Equal(args[1]) == types.True {
			return types.Int(i)
		}
	}
	return types.Int(-1)
}

func lastIndexOf(args ...ref.Val) ref.Val {
	list, err := items(args[0])
	if err != nil {
		return err
	}
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Equal(args[1]) == types.True {
			return types.Int(i)
		}
	}
	return types.Int(-1)
}

// includes reports whether a list has an item, or whether a value that is not a list equals it.
func includes(args ...ref.Val) ref.Val {
	if list, err := items(args[0]); err == nil {
		for _, x := range list {
			if x.Equal(args[1]) == types.True {
				return types.True
			}
		}
		return types.False
	}
	return types.Bool(args[0].Equal(args[1]) == types.True)
}

// Overload is a function of CEL, as API servers have it, for values of some kinds.
type Overload struct {
	Name   string
	Method bool
	// Args are the kinds of the receiver and the arguments, Result that of the result.
	Args   []expr.Kind
	Result expr.Kind
}

// Overloads returns the functions of CEL by name, without operators, macros and what
// only these call.
func Overloads() []Overload {
	var all []Overload
	for name := range baseEnv().Functions() {
		if unicode.IsLetter(rune(name[0])) && !strings.Contains(name, "@") && name != "in" {
			all = append(all, overloadsOf(name)...)
		}
	}
	slices.SortFunc(all, func(a, b Overload) int { return cmp.Or(cmp.Compare(a.Name, b.Name), slices.Compare(a.Args, b.Args)) })
	return all
}

func overloadsOf(name string) []Overload {
	f := baseEnv().Functions()[name]
	if f == nil {
		return nil
	}
	var none *Env
	var all []Overload
	for _, o := range f.OverloadDecls() {
		one := Overload{Name: name, Method: o.IsMemberFunction(), Result: none.typeOf(o.ResultType()).Kind}
		for _, t := range o.ArgTypes() {
			one.Args = append(one.Args, none.typeOf(t).Kind)
		}
		all = append(all, one)
	}
	return all
}

// Result returns the kind of a function's result for values of the given kinds, not ok
// if there is no such function. The first is the receiver of a method.
func Result(name string, method bool, args []expr.Kind) (result expr.Kind, ok bool) {
	for _, o := range overloadsOf(name) {
		fits := o.Method == method && slices.EqualFunc(o.Args, args, func(declared, k expr.Kind) bool {
			return declared == expr.DynKind || declared == k || declared == expr.MapKind && k == expr.ObjectKind
		})
		if fits {
			return o.Result, true
		}
	}
	return "", false
}

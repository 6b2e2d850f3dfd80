package golang

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/typed"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// function describes how to print a function of CEL.
type function struct {
	// code is a function of the runtime package or, with a dot, of another one; a
	// function without code is its argument.
	code string
	// ok is a function of the runtime package on the same arguments that reports whether the call
	// succeeds; empty if it always does.
	ok string
	// print prints a function that is not a call in Go.
	print func(p *printer, e *expr.Call, args []alternative) value
}

// table is the functions that Go has, by name and the kinds of receiver and arguments;
// methods begin with a dot, and * is any kind from there on. The results are those that
// package typed declares.
type table map[string]function

func functions() table {
	return table{
		".startsWith string string":        {code: "strings.HasPrefix"},
		".endsWith string string":          {code: "strings.HasSuffix"},
		".contains string string":          {code: "strings.Contains"},
		".lowerAscii string":               {code: "LowerASCII"},
		".upperAscii string":               {code: "UpperASCII"},
		".trim string":                     {code: "Trim"},
		".indexOf string string":           {code: "IndexOf"},
		".lastIndexOf string string":       {code: "LastIndexOf"},
		".charAt string int":               {code: "CharAt", ok: "InString"},
		".substring string int":            {code: "Substring", ok: "InString"},
		".substring string int int":        {code: "SubstringTo", ok: "IsSubstring"},
		".replace string string string":    {code: "strings.ReplaceAll"},
		"size string":                      {code: "Size"},
		".size string":                     {code: "Size"},
		"int int":                          {},
		"int string":                       {code: "ParseInt", ok: "IsInt"},
		"int double":                       {code: "IntOf", ok: "IsIntRange"},
		"int timestamp":                    {code: "Unix"},
		"double double":                    {},
		"double int":                       {code: "Double"},
		"double string":                    {code: "ParseDouble", ok: "IsDouble"},
		"bool bool":                        {},
		"bool string":                      {code: "ParseBool", ok: "IsBool"},
		"string string":                    {},
		"string int":                       {code: "IntText"},
		"string bool":                      {code: "BoolText"},
		"string ip":                        {code: "IPText"},
		"string cidr":                      {code: "CIDRText"},
		"duration duration":                {},
		"duration string":                  {code: "Duration", ok: "IsDuration"},
		"timestamp timestamp":              {},
		"timestamp string":                 {code: "Timestamp", ok: "IsTimestamp"},
		".getHours duration":               {code: "Hours"},
		".getMinutes duration":             {code: "Minutes"},
		".getSeconds duration":             {code: "Seconds"},
		".getMilliseconds duration":        {code: "Milliseconds"},
		".getFullYear timestamp":           {code: "Year"},
		".getMonth timestamp":              {code: "Month"},
		".getDate timestamp":               {code: "Date"},
		".getDayOfWeek timestamp":          {code: "Weekday"},
		"quantity string":                  {code: "Quantity", ok: "IsQuantity"},
		"isQuantity string":                {code: "IsQuantity"},
		".getDayOfMonth timestamp":         {code: "DayOfMonth"},
		".getDayOfYear timestamp":          {code: "DayOfYear"},
		".getHours timestamp":              {code: "Hour"},
		".getMinutes timestamp":            {code: "Minute"},
		".getSeconds timestamp":            {code: "Second"},
		".getMilliseconds timestamp":       {code: "Millisecond"},
		"sign quantity":                    {code: "QuantitySign"},
		".isGreaterThan quantity quantity": {code: "QuantityGreater"},
		".isLessThan quantity quantity":    {code: "QuantityLess"},
		".compareTo quantity quantity":     {code: "CompareQuantity"},
		".isInteger quantity":              {code: "QuantityIsInteger"},
		".asInteger quantity":              {code: "QuantityInteger", ok: "QuantityIsInteger"},
		".asApproximateFloat quantity":     {code: "QuantityFloat"},
		".add quantity quantity":           {code: "QuantityAdd"},
		".sub quantity quantity":           {code: "QuantitySub"},
		".add quantity int":                {code: "QuantityAddInt"},
		".sub quantity int":                {code: "QuantitySubInt"},
		"isIP string":                      {code: "IsIP"},
		"ip string":                        {code: "IP", ok: "IsIP"},
		"ip.isCanonical string":            {code: "IPIsCanonical", ok: "IsIP"},
		".family ip":                       {code: "IPFamily"},
		".isUnspecified ip":                {code: "IPIsUnspecified"},
		".isLoopback ip":                   {code: "IPIsLoopback"},
		".isLinkLocalMulticast ip":         {code: "IPIsLinkLocalMulticast"},
		".isLinkLocalUnicast ip":           {code: "IPIsLinkLocalUnicast"},
		".isGlobalUnicast ip":              {code: "IPIsGlobalUnicast"},
		"isCIDR string":                    {code: "IsCIDR"},
		"cidr string":                      {code: "CIDR", ok: "IsCIDR"},
		".containsIP cidr ip":              {code: "CIDRContainsIP"},
		".containsIP cidr string":          {code: "CIDRContainsIPText", ok: "CIDRAndIP"},
		".containsCIDR cidr cidr":          {code: "CIDRContains"},
		".containsCIDR cidr string":        {code: "CIDRContainsText", ok: "CIDRAndCIDR"},
		".ip cidr":                         {code: "CIDRAddr"},
		".masked cidr":                     {code: "CIDRMasked"},
		".prefixLength cidr":               {code: "CIDRBits"},
		"isURL string":                     {code: "IsURI"},
		"url string":                       {code: "URL", ok: "IsURL"},
		".getScheme url":                   {code: "URLScheme"},
		".getHost url":                     {code: "URLHost"},
		".getHostname url":                 {code: "URLHostname"},
		".getPort url":                     {code: "URLPort"},
		".getEscapedPath url":              {code: "URLPath"},
		"type *":                           {print: (*printer).typeOf},
		"size list":                        {print: (*printer).sizeOf},
		".size list":                       {print: (*printer).sizeOf},
		"size map":                         {print: (*printer).sizeOf},
		".size map":                        {print: (*printer).sizeOf},
		"matches string string":            {print: (*printer).search},
		".matches string string":           {print: (*printer).search},
		".find string string":              {print: (*printer).search},
		".findAll string string":           {print: (*printer).search},
		".split string string":             {print: (*printer).split},
		".hasValue optional":               {print: (*printer).ofOptional},
		".value optional":                  {print: (*printer).ofOptional},
		".orValue optional *":              {print: (*printer).ofOptional},
		".or optional *":                   {print: (*printer).ofOptional},
		".validate format string":          {print: (*printer).validateFormat},
		".format string list":              {print: (*printer).formatted},
		"sets.contains list list":          {print: (*printer).sets},
		"sets.equivalent list list":        {print: (*printer).sets},
		"sets.intersects list list":        {print: (*printer).sets},
		".includes list *":                 {print: (*printer).includes},
		".isSorted list":                   {print: (*printer).ofList},
		".sum list":                        {print: (*printer).ofList},
		".min list":                        {print: (*printer).ofList},
		".max list":                        {print: (*printer).ofList},
		".indexOf list *":                  {print: (*printer).ofList},
		".lastIndexOf list *":              {print: (*printer).ofList},
		".join list":                       {print: (*printer).ofList},
		".join list string":                {print: (*printer).ofList},
	}
}

// formatChecks are the formats of format.<name>(), as functions of the runtime
// package.
var formatChecks = map[string]string{
	"dns1123Label": "IsDNS1123Label", "dns1123Subdomain": "IsDNS1123Subdomain", "dns1035Label": "IsDNS1035Label",
	"dns1123LabelPrefix": "IsDNS1123LabelPrefix", "dns1123SubdomainPrefix": "IsDNS1123SubdomainPrefix", "dns1035LabelPrefix": "IsDNS1035LabelPrefix",
	"qualifiedName": "IsQualifiedName", "labelValue": "IsLabelValue", "uri": "IsURI",
	"uuid": "IsUUID", "byte": "IsBase64", "date": "IsDate", "datetime": "IsDateTime",
}

// call prints a function, a method, or an operator on numbers.
func (p *printer) call(e *expr.Call) value {
	if name, ok := strings.CutPrefix(e.Func, "format."); ok && formatChecks[name] != "" {
		return value{{when: goexpr.True, kind: expr.FormatKind, format: name}}
	}
	switch e.Func {
	case "dyn":
		return p.value(e.Args[0])
	case "optional.none":
		return value{{when: goexpr.True, kind: expr.OptionalKind}}
	case "optional.of":
		v := p.value(e.Args[0])
		return value{{when: v.ok(), kind: expr.OptionalKind, some: v}}
	case expr.OpNeg:
		return p.arithmetic(e, value{constantOf(int64(0))}, p.value(e.Args[0]), "-")
	case expr.OpAdd, expr.OpSub, expr.OpMul, expr.OpDiv, expr.OpMod:
		return p.arithmetic(e, p.value(e.Args[0]), p.value(e.Args[1]), e.Func)
	}
	var operands []value
	if e.Target != nil {
		operands = append(operands, p.value(e.Target))
	}
	for _, x := range e.Args {
		operands = append(operands, p.value(x))
	}
	var out value
	p.product(operands, nil, func(args []alternative) { out = append(out, p.apply(e, args)...) })
	return out
}

// product calls f for every combination of alternatives.
func (p *printer) product(operands []value, chosen []alternative, f func([]alternative)) {
	if len(operands) == 0 {
		f(chosen)
		return
	}
	for _, a := range operands[0] {
		p.product(operands[1:], append(append([]alternative{}, chosen...), a), f)
	}
}

// apply prints a call on arguments whose kinds are known.
func (p *printer) apply(e *expr.Call, args []alternative) value {
	var when []goexpr.Expr
	for _, a := range args {
		when = append(when, a.when)
		if a.kind == expr.UnknownKind || a.kind == expr.BytesKind {
			p.refuse(e, "%s of %s", e.Func, a.kind)
		}
	}
	return p.known(e, args).under(goexpr.And(when...))
}

// known prints a call by its row of the table. A function that has no such arguments
// fails.
func (p *printer) known(e *expr.Call, args []alternative) value {
	kinds := make([]expr.Kind, len(args))
	var code []goexpr.Expr
	for i, a := range args {
		kinds[i] = a.kind
		code = append(code, p.plain(a))
	}
	f, ok := p.functions.row(e.Func, e.Target != nil, kinds)
	for i, a := range args {
		switch {
		case a.text == "" || e.Func == "type":
		case i == 0:
			return p.ofText(e, args)
		default:
			p.refuse(e, "%s on the text of a %s", e.Func, a.text)
		}
	}
	result, declared := typed.Result(e.Func, e.Target != nil, kinds)
	switch {
	case !declared:
		return value{}
	case !ok:
		p.refuse(e, "%s", e.Func)
	case f.print != nil:
		return f.print(p, e, args)
	case f.code == "":
		return value{args[0]}
	}
	a := alternative{when: goexpr.True, kind: result, bits: 63}
	if f.ok != "" {
		if fails, constants := p.constantCall(e, args); constants {
			if fails {
				return value{}
			}
			a.code = p.declare(string(result), p.call1(f.code, code...))
			return value{a}
		}
		a.when = p.call1(f.ok, code...)
	}
	if pkg, name, ok := strings.Cut(f.code, "."); ok {
		a.code = goexpr.Call(p.ident(pkg, name), code...)
	} else {
		a.code = p.call1(f.code, code...)
	}
	return value{a}
}

// row returns the row of the table for a function.
func (t table) row(name string, method bool, kinds []expr.Kind) (function, bool) {
	if method {
		name = "." + name
	}
	for n := len(kinds); n >= 0; n-- {
		key := name
		for _, k := range kinds[:n] {
			key += " " + string(k)
		}
		if n < len(kinds) {
			key += " *"
		}
		if f, ok := t[key]; ok {
			return f, true
		}
	}
	return function{}, false
}

// Prints reports whether Go has a function of CEL for values of the given kinds; the
// first is the receiver of a method.
func Prints(name string, method bool, kinds []expr.Kind) bool {
	switch name {
	case "dyn", "optional.of", "optional.none":
		return true
	}
	if method && kinds[0] == expr.DynKind { // lists and all that is not one
		kinds = append([]expr.Kind{expr.ListKind}, kinds[1:]...)
	}
	_, ok := functions().row(name, method, kinds)
	return ok || formatChecks[strings.TrimPrefix(name, "format.")] != ""
}

// constantCall reports whether a call that may fail has only constants, and whether it fails.
func (p *printer) constantCall(e *expr.Call, args []alternative) (fails, constants bool) {
	call := &expr.Call{Func: e.Func}
	for i, a := range args {
		if a.constant == nil {
			return false, false
		}
		literal := &expr.Literal{Value: a.constant}
		if i == 0 && e.Target != nil {
			call.Target = literal
		} else {
			call.Args = append(call.Args, literal)
		}
	}
	return !typed.Works(call), true
}

// always returns a value that always exists.
func always(a alternative) value {
	a.when = goexpr.True
	return value{a}
}

func boolean(c goexpr.Expr) value { return always(alternative{kind: expr.BoolKind, boolean: c}) }

func (p *printer) typeOf(e *expr.Call, args []alternative) value {
	kind := args[0].kind
	switch {
	case args[0].text == expr.QuantityKind:
		p.refuse(e, "the type of a quantity")
	case kind == expr.ObjectKind:
		kind = expr.MapKind
	}
	return always(alternative{kind: expr.TypeKind, is: kind})
}

func (p *printer) sizeOf(e *expr.Call, args []alternative) value {
	p.distinct(args[0].list, e)
	return always(alternative{kind: expr.IntKind, code: p.count(args[0].list, "x"), goType: model.Builtin("int"), bits: 40})
}

// distinct refuses a map whose keys may repeat, and are counted.
func (p *printer) distinct(l *list, e expr.Expr) {
	if l.mayRepeat {
		p.refuse(e, "the number of keys that may be equal")
	}
}

// search prints functions on regular expressions.
func (p *printer) search(e *expr.Call, args []alternative) value {
	re, s := p.pattern(e, args[1]), p.plain(args[0])
	switch e.Func {
	case "find":
		return always(alternative{kind: expr.StringKind, code: goexpr.Method(re, "FindString", s)})
	case "findAll":
		return texts(goexpr.Method(re, "FindAllString", s, goexpr.Raw("-1")))
	}
	return boolean(goexpr.Method(re, "MatchString", s))
}

func (p *printer) split(_ *expr.Call, args []alternative) value {
	return texts(goexpr.Call(p.ident("strings", "Split"), p.plain(args[0]), p.plain(args[1])))
}

func (p *printer) validateFormat(_ *expr.Call, args []alternative) value {
	valid := p.call1(formatChecks[args[0].format], p.plain(args[1]))
	return maybe(always(alternative{kind: expr.UnknownKind}), goexpr.True, goexpr.Not(valid), valid)
}

// formatted prints a text with values in place of %s and %d, as messages have it.
func (p *printer) formatted(e *expr.Call, args []alternative) value {
	layout, isConstant := args[0].constant.(string)
	l := args[1].list
	if !isConstant || !l.literal || len(l.steps) > 0 || strings.Contains(layout, "\x00") {
		p.refuse(e, "format without a list of values in the rule")
	}
	parts := strings.Split(strings.ReplaceAll(layout, "%%", "\x00"), "%")
	ways := 1
	for _, item := range l.items {
		ways *= len(item)
	}
	if len(parts) != len(l.items)+1 || ways > tooWide {
		p.refuse(e, "format with such values")
	}
	var out value
	p.product(l.items, nil, func(chosen []alternative) {
		var when, texts []goexpr.Expr
		literal := func(text string) {
			if text != "" {
				texts = append(texts, goexpr.Raw(strconv.Quote(strings.ReplaceAll(text, "\x00", "%"))))
			}
		}
		literal(parts[0])
		for i, a := range chosen {
			verb := parts[i+1][:min(1, len(parts[i+1]))]
			when, texts = append(when, a.when), append(texts, p.inText(e, verb, a))
			literal(parts[i+1][1:])
		}
		if len(texts) == 0 {
			texts = append(texts, goexpr.Raw(`""`))
		}
		code := texts[0]
		for _, text := range texts[1:] {
			code = goexpr.Binary("+", code, text)
		}
		out = append(out, alternative{when: goexpr.And(when...), kind: expr.StringKind, code: code})
	})
	return out
}

// inText prints a value in place of a verb of a format.
func (p *printer) inText(e *expr.Call, verb string, a alternative) goexpr.Expr {
	switch {
	case a.text != "":
	case verb == "s" && a.kind == expr.StringKind:
		return p.plain(a)
	case (verb == "s" || verb == "d") && a.kind == expr.IntKind:
		return p.call1("IntText", p.plain(a))
	case verb == "s" && a.kind == expr.BoolKind:
		return p.call1("BoolText", p.plain(a))
	}
	p.refuse(e, "format of a %s with %%%s", a.kind, verb)
	return nil
}

func (p *printer) includes(e *expr.Call, args []alternative) value {
	return boolean(p.contains(args[0].list, args[1], e).yes)
}

// texts is the list of strings of a Go expression.
func texts(code goexpr.Expr) value {
	t := &model.Ref{Kind: model.KindSlice, Elem: model.Builtin("string")}
	l := &list{code: code, goType: t, elem: t.Elem, typ: expr.StringType()}
	return value{{when: goexpr.True, kind: expr.ListKind, code: code, goType: t, typ: expr.ListType(l.typ), list: l}}
}

// pattern returns the variable that holds a compiled regular expression.
func (p *printer) pattern(e *expr.Call, a alternative) goexpr.Expr {
	pattern, ok := a.constant.(string)
	if !ok {
		p.refuse(e, "%s with a pattern that is no constant", e.Func)
	}
	if _, err := regexp.Compile(pattern); err != nil {
		p.refuse(e, "%s with an invalid pattern", e.Func)
	}
	return p.declare("pattern", goexpr.Call(p.ident("regexp", "MustCompile"), a.code))
}

// sets prints the functions of sets.
func (p *printer) sets(e *expr.Call, args []alternative) value {
	a, b := args[0].list, args[1].list
	switch e.Func {
	case "sets.contains":
		return p.containsAll(a, b, e).value()
	case "sets.equivalent":
		x, y := p.containsAll(a, b, e), p.containsAll(b, a, e)
		return tri{goexpr.And(x.yes, y.yes), goexpr.Or(x.no, y.no)}.value()
	}
	return known(p.some(a, "x", func(v value) goexpr.Expr {
		return p.anyOf(v, func(x alternative) goexpr.Expr { return p.contains(b, x, e).yes })
	})).value()
}

// containsAll reports whether a list has all items of another one.
func (p *printer) containsAll(l, items *list, e expr.Expr) tri {
	return tri{
		p.every(items, "x", func(v value) goexpr.Expr {
			return p.anyOf(v, func(x alternative) goexpr.Expr { return p.contains(l, x, e).yes })
		}),
		p.some(items, "x", func(v value) goexpr.Expr {
			return p.anyOf(v, func(x alternative) goexpr.Expr { return p.contains(l, x, e).no })
		}),
	}
}

// anyOf joins the results of f for the alternatives of a value.
func (p *printer) anyOf(v value, f func(alternative) goexpr.Expr) goexpr.Expr {
	var list []goexpr.Expr
	for _, a := range v {
		list = append(list, goexpr.And(a.when, f(a)))
	}
	return goexpr.Or(list...)
}

// ofText prints functions on values whose JSON is a string but whose Go value is not:
// quantities and durations, which need no parsing.
func (p *printer) ofText(e *expr.Call, args []alternative) value {
	a := args[0]
	switch {
	case e.Func == "string":
		return value{a}
	case e.Func == "quantity" && a.text == expr.QuantityKind, e.Func == "duration" && a.text == expr.DurationKind:
		a.kind, a.text = a.text, ""
		return value{a}
	case e.Func == "isQuantity" && a.text == expr.QuantityKind:
		return boolean(goexpr.True)
	}
	p.refuse(e, "%s on the text of a %s", e.Func, a.text)
	return nil
}

func (p *printer) ofOptional(e *expr.Call, args []alternative) value {
	a := args[0]
	switch e.Func {
	case "hasValue":
		return boolean(goexpr.Bool(a.some != nil))
	case "value":
		if a.some == nil {
			return value{}
		}
		return a.some
	case "orValue":
		if a.some != nil {
			return a.some
		}
		return always(args[1]) // apply adds the conditions of the arguments
	case "or":
		if a.some != nil {
			return always(alternative{kind: expr.OptionalKind, some: a.some})
		}
		return always(args[1])
	}
	p.refuse(e, "%s of an optional value", e.Func)
	return nil
}

// ofList prints the functions of lists.
func (p *printer) ofList(e *expr.Call, args []alternative) value {
	l := args[0].list
	code, elem := p.slice(l, e)
	u := p.Model.Underlying(elem)
	if !u.IsScalar() || u.IsBool() || l.typ.Kind != kindOf(u) {
		p.refuse(e, "%s of a list of such items", e.Func)
	}
	kind := kindOf(u)
	out := alternative{when: goexpr.True, kind: kind, bits: 63}
	switch e.Func {
	case "isSorted":
		if kind == expr.DoubleKind {
			break // NaN has no order
		}
		out.kind, out.boolean = expr.BoolKind, goexpr.Call(p.ident("slices", "IsSorted"), code)
		return value{out}
	case "sum":
		if kind != expr.IntKind {
			break
		}
		out.code = p.call1("Sum", code)
		out.when = p.call1("SumFits", code)
		return value{out}
	case "min", "max":
		if kind == expr.DoubleKind {
			break
		}
		out.when = goexpr.Ne(length(code), zero)
		out.code, out.goType = goexpr.Call(p.ident("slices", map[string]string{"min": "Min", "max": "Max"}[e.Func]), code), elem
		return value{out}
	case "indexOf", "lastIndexOf":
		if item, ok := p.itemCode(l, args[1]); ok {
			out.kind = expr.IntKind
			out.code = p.call1(map[string]string{"indexOf": "Index", "lastIndexOf": "LastIndex"}[e.Func], code, item)
			return value{out}
		}
	case "join":
		if kind == expr.StringKind && elem.IsString() {
			separator := goexpr.Expr(goexpr.Raw(`""`))
			if len(args) == 2 {
				separator = p.plain(args[1])
			}
			out.code = goexpr.Call(p.ident("strings", "Join"), code, separator)
			return value{out}
		}
	}
	p.refuse(e, "%s", e.Func)
	return nil
}

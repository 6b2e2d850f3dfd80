package golang

import (
	"regexp"
	"strings"

	"github.com/kindsmith/kindsmith/internal/expr"
	"github.com/kindsmith/kindsmith/internal/expr/typed"
	"github.com/kindsmith/kindsmith/internal/goexpr"
	"github.com/kindsmith/kindsmith/internal/model"
)

// function is a function of CEL in Go.
type function struct {
	result expr.Kind
	// code is a function of the runtime package or, with a dot, of another one.
	code string
	// ok is a function of the runtime package on the same arguments that reports
	// whether the call works; empty when it always does.
	ok string
}

// functions are the functions that are one call in Go, by name and the kinds of
// receiver and arguments; methods begin with a dot.
var functions = map[string]function{
	".startsWith string string":        {expr.BoolKind, "strings.HasPrefix", ""},
	".endsWith string string":          {expr.BoolKind, "strings.HasSuffix", ""},
	".contains string string":          {expr.BoolKind, "strings.Contains", ""},
	".lowerAscii string":               {expr.StringKind, "LowerASCII", ""},
	".upperAscii string":               {expr.StringKind, "UpperASCII", ""},
	".trim string":                     {expr.StringKind, "Trim", ""},
	".indexOf string string":           {expr.IntKind, "IndexOf", ""},
	".lastIndexOf string string":       {expr.IntKind, "LastIndexOf", ""},
	".charAt string int":               {expr.StringKind, "CharAt", "InString"},
	".substring string int":            {expr.StringKind, "Substring", "InString"},
	".substring string int int":        {expr.StringKind, "SubstringTo", "IsSubstring"},
	".replace string string string":    {expr.StringKind, "strings.ReplaceAll", ""},
	"size string":                      {expr.IntKind, "Size", ""},
	".size string":                     {expr.IntKind, "Size", ""},
	"int int":                          {expr.IntKind, "", ""},
	"int string":                       {expr.IntKind, "ParseInt", "IsInt"},
	"int double":                       {expr.IntKind, "IntOf", "IsIntRange"},
	"int timestamp":                    {expr.IntKind, "Unix", ""},
	"double double":                    {expr.DoubleKind, "", ""},
	"double int":                       {expr.DoubleKind, "Double", ""},
	"double string":                    {expr.DoubleKind, "ParseDouble", "IsDouble"},
	"bool bool":                        {expr.BoolKind, "", ""},
	"bool string":                      {expr.BoolKind, "ParseBool", "IsBool"},
	"string string":                    {expr.StringKind, "", ""},
	"string int":                       {expr.StringKind, "IntText", ""},
	"string bool":                      {expr.StringKind, "BoolText", ""},
	"string ip":                        {expr.StringKind, "IPText", ""},
	"string cidr":                      {expr.StringKind, "CIDRText", ""},
	"duration duration":                {expr.DurationKind, "", ""},
	"duration string":                  {expr.DurationKind, "Duration", "IsDuration"},
	"timestamp timestamp":              {expr.TimestampKind, "", ""},
	"timestamp string":                 {expr.TimestampKind, "Timestamp", "IsTimestamp"},
	".getHours duration":               {expr.IntKind, "Hours", ""},
	".getMinutes duration":             {expr.IntKind, "Minutes", ""},
	".getSeconds duration":             {expr.IntKind, "Seconds", ""},
	".getMilliseconds duration":        {expr.IntKind, "Milliseconds", ""},
	".getFullYear timestamp":           {expr.IntKind, "Year", ""},
	".getMonth timestamp":              {expr.IntKind, "Month", ""},
	".getDate timestamp":               {expr.IntKind, "Date", ""},
	".getDayOfWeek timestamp":          {expr.IntKind, "Weekday", ""},
	"quantity string":                  {expr.QuantityKind, "Quantity", "IsQuantity"},
	"isQuantity string":                {expr.BoolKind, "IsQuantity", ""},
	".getDayOfMonth timestamp":         {expr.IntKind, "DayOfMonth", ""},
	".getDayOfYear timestamp":          {expr.IntKind, "DayOfYear", ""},
	".getHours timestamp":              {expr.IntKind, "Hour", ""},
	".getMinutes timestamp":            {expr.IntKind, "Minute", ""},
	".getSeconds timestamp":            {expr.IntKind, "Second", ""},
	".getMilliseconds timestamp":       {expr.IntKind, "Millisecond", ""},
	"sign quantity":                    {expr.IntKind, "QuantitySign", ""},
	".isGreaterThan quantity quantity": {expr.BoolKind, "QuantityGreater", ""},
	".isLessThan quantity quantity":    {expr.BoolKind, "QuantityLess", ""},
	".compareTo quantity quantity":     {expr.IntKind, "CompareQuantity", ""},
	".isInteger quantity":              {expr.BoolKind, "QuantityIsInteger", ""},
	".asInteger quantity":              {expr.IntKind, "QuantityInteger", "QuantityIsInteger"},
	".asApproximateFloat quantity":     {expr.DoubleKind, "QuantityFloat", ""},
	".add quantity quantity":           {expr.QuantityKind, "QuantityAdd", ""},
	".sub quantity quantity":           {expr.QuantityKind, "QuantitySub", ""},
	".add quantity int":                {expr.QuantityKind, "QuantityAddInt", ""},
	".sub quantity int":                {expr.QuantityKind, "QuantitySubInt", ""},
	"isIP string":                      {expr.BoolKind, "IsIP", ""},
	"ip string":                        {expr.IPKind, "IP", "IsIP"},
	"ip.isCanonical string":            {expr.BoolKind, "IPIsCanonical", "IsIP"},
	".family ip":                       {expr.IntKind, "IPFamily", ""},
	".isUnspecified ip":                {expr.BoolKind, "IPIsUnspecified", ""},
	".isLoopback ip":                   {expr.BoolKind, "IPIsLoopback", ""},
	".isLinkLocalMulticast ip":         {expr.BoolKind, "IPIsLinkLocalMulticast", ""},
	".isLinkLocalUnicast ip":           {expr.BoolKind, "IPIsLinkLocalUnicast", ""},
	".isGlobalUnicast ip":              {expr.BoolKind, "IPIsGlobalUnicast", ""},
	"isCIDR string":                    {expr.BoolKind, "IsCIDR", ""},
	"cidr string":                      {expr.CIDRKind, "CIDR", "IsCIDR"},
	".containsIP cidr ip":              {expr.BoolKind, "CIDRContainsIP", ""},
	".containsIP cidr string":          {expr.BoolKind, "CIDRContainsIPText", "CIDRAndIP"},
	".containsCIDR cidr cidr":          {expr.BoolKind, "CIDRContains", ""},
	".containsCIDR cidr string":        {expr.BoolKind, "CIDRContainsText", "CIDRAndCIDR"},
	".ip cidr":                         {expr.IPKind, "CIDRAddr", ""},
	".masked cidr":                     {expr.CIDRKind, "CIDRMasked", ""},
	".prefixLength cidr":               {expr.IntKind, "CIDRBits", ""},
	"isURL string":                     {expr.BoolKind, "IsURI", ""},
	"url string":                       {expr.URLKind, "URL", "IsURL"},
	".getScheme url":                   {expr.StringKind, "URLScheme", ""},
	".getHost url":                     {expr.StringKind, "URLHost", ""},
	".getHostname url":                 {expr.StringKind, "URLHostname", ""},
	".getPort url":                     {expr.StringKind, "URLPort", ""},
	".getEscapedPath url":              {expr.StringKind, "URLPath", ""},
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
	out := p.special(e, args)
	if out == nil {
		out = p.mapped(e, args)
	}
	return out.under(goexpr.And(when...))
}

// mapped prints a call of a function that is one in Go. A function that has no
// such arguments fails.
func (p *printer) mapped(e *expr.Call, args []alternative) value {
	key := e.Func
	if e.Target != nil {
		key = "." + key
	}
	var list []expr.Kind
	kinds := ""
	var code []goexpr.Expr
	for _, a := range args {
		list = append(list, a.kind)
		kinds += " " + string(a.kind)
		if a.text != "" {
			p.refuse(e, "%s on the text of a %s", e.Func, a.text)
		}
		code = append(code, p.plain(a))
	}
	f, ok := functions[key+kinds]
	if !ok {
		if !typed.Declares(e.Func, e.Target != nil, list) {
			return value{}
		}
		p.refuse(e, "%s", e.Func)
	}
	if f.code == "" {
		return value{args[0]}
	}
	a := alternative{when: goexpr.True, kind: f.result, bits: 63}
	if f.ok != "" {
		if fails, constants := p.constantCall(e, args); constants {
			if fails {
				return value{}
			}
			a.code = p.declare(string(f.result), p.call1(f.code, code...))
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

// constantCall reports whether a call that may fail has constants only, and
// whether it does fail.
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

// special prints the functions that are no call in Go; nil for any other.
func (p *printer) special(e *expr.Call, args []alternative) value {
	always := goexpr.True
	first := args[0]
	boolean := func(c goexpr.Expr) value { return value{{when: always, kind: expr.BoolKind, boolean: c}} }
	switch {
	case e.Func == "type":
		kind := first.kind
		switch {
		case first.text == expr.QuantityKind:
			p.refuse(e, "the type of a quantity")
		case kind == expr.ObjectKind:
			kind = expr.MapKind
		}
		return value{{when: always, kind: expr.TypeKind, is: kind}}
	case e.Func == "size" && first.list != nil:
		return value{{when: always, kind: expr.IntKind, code: p.count(first.list, "x"), goType: model.Builtin("int"), bits: 40}}
	case (e.Func == "matches" || e.Func == "find" || e.Func == "findAll") && len(args) == 2 && strings2(args):
		re, s := p.pattern(e, args[1]), p.plain(first)
		switch e.Func {
		case "find":
			return value{{when: always, kind: expr.StringKind, code: goexpr.Method(re, "FindString", s)}}
		case "findAll":
			return texts(goexpr.Method(re, "FindAllString", s, goexpr.Raw("-1")))
		}
		return boolean(goexpr.Method(re, "MatchString", s))
	case e.Func == "split" && len(args) == 2 && strings2(args):
		return texts(goexpr.Call(p.ident("strings", "Split"), p.plain(first), p.plain(args[1])))
	case first.text != "":
		return p.ofText(e, args)
	case first.kind == expr.OptionalKind:
		return p.ofOptional(e, args)
	case e.Func == "validate" && first.kind == expr.FormatKind && len(args) == 2 && args[1].kind == expr.StringKind && args[1].text == "":
		valid := p.call1(formatChecks[first.format], p.plain(args[1]))
		messages := alternative{when: always, kind: expr.UnknownKind}
		return maybe(value{messages}, always, goexpr.Not(valid), valid)
	case strings.HasPrefix(e.Func, "sets.") && len(args) == 2 && first.kind == expr.ListKind && args[1].kind == expr.ListKind:
		return p.sets(e, first.list, args[1].list)
	case e.Target != nil && first.kind == expr.ListKind:
		return p.ofList(e, args)
	}
	return nil
}

// strings2 reports whether two arguments are strings.
func strings2(args []alternative) bool {
	return args[0].kind == expr.StringKind && args[0].text == "" && args[1].kind == expr.StringKind && args[1].text == ""
}

// texts is a list of strings that a Go expression has.
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
func (p *printer) sets(e *expr.Call, a, b *list) value {
	contains := func(l, items *list) tri {
		return tri{
			p.every(items, "x", func(v value) goexpr.Expr {
				return p.anyOf(v, func(x alternative) goexpr.Expr { return p.contains(l, x, e).yes })
			}),
			p.some(items, "x", func(v value) goexpr.Expr {
				return p.anyOf(v, func(x alternative) goexpr.Expr { return p.contains(l, x, e).no })
			}),
		}
	}
	switch e.Func {
	case "sets.contains":
		return contains(a, b).value()
	case "sets.equivalent":
		x, y := contains(a, b), contains(b, a)
		return tri{goexpr.And(x.yes, y.yes), goexpr.Or(x.no, y.no)}.value()
	}
	return known(p.some(a, "x", func(v value) goexpr.Expr {
		return p.anyOf(v, func(x alternative) goexpr.Expr { return p.contains(b, x, e).yes })
	})).value()
}

// anyOf joins what f says of the alternatives of a value.
func (p *printer) anyOf(v value, f func(alternative) goexpr.Expr) goexpr.Expr {
	var list []goexpr.Expr
	for _, a := range v {
		list = append(list, goexpr.And(a.when, f(a)))
	}
	return goexpr.Or(list...)
}

// ofText prints functions on values whose JSON is a string: quantities and
// durations of Go, which need not be parsed.
func (p *printer) ofText(e *expr.Call, args []alternative) value {
	a := args[0]
	switch {
	case e.Func == "string":
		return value{a}
	case e.Func == "quantity" && a.text == expr.QuantityKind, e.Func == "duration" && a.text == expr.DurationKind:
		a.kind, a.text = a.text, ""
		return value{a}
	case e.Func == "isQuantity" && a.text == expr.QuantityKind:
		return value{{when: goexpr.True, kind: expr.BoolKind, boolean: goexpr.True}}
	}
	p.refuse(e, "%s on the text of a %s", e.Func, a.text)
	return nil
}

func (p *printer) ofOptional(e *expr.Call, args []alternative) value {
	a := args[0]
	switch e.Func {
	case "hasValue":
		return value{{when: goexpr.True, kind: expr.BoolKind, boolean: goexpr.Bool(a.some != nil)}}
	case "value":
		if a.some == nil {
			return value{}
		}
		return a.some
	case "orValue":
		if a.some != nil {
			return a.some
		}
		b := args[1]
		b.when = goexpr.True // apply adds the conditions of the arguments
		return value{b}
	case "or":
		if a.some != nil {
			return value{{when: goexpr.True, kind: expr.OptionalKind, some: a.some}}
		}
		b := args[1]
		b.when = goexpr.True
		return value{b}
	}
	p.refuse(e, "%s of an optional value", e.Func)
	return nil
}

// ofList prints the functions of lists.
func (p *printer) ofList(e *expr.Call, args []alternative) value {
	l := args[0].list
	if e.Func == "includes" && len(args) == 2 {
		t := p.contains(l, args[1], e)
		return value{{when: goexpr.True, kind: expr.BoolKind, boolean: t.yes}}
	}
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
			break // NaN sorts everywhere
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

package stencil

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"
)

// value is a compiled expression: what it is of, and how to get it.
type value struct {
	typ reflect.Type
	get func(r *run, dot reflect.Value) (reflect.Value, error)
}

// escapers begins the names that html/template gives to what it adds to the
// pipelines of a template.
const escapers = "_html_template_"

// printed is the value that an action prints, and the names of its escapers in
// order, joined by "|".
func (c *compiler) printed(p *parse.PipeNode, sc *scope) (value, string, error) {
	var chain []string
	cmds := p.Cmds
	for len(cmds) > 1 {
		last := cmds[len(cmds)-1]
		id, ok := last.Args[0].(*parse.IdentifierNode)
		if !ok || len(last.Args) != 1 || !strings.HasPrefix(id.Ident, escapers) {
			break
		}
		chain = append(chain, strings.TrimPrefix(id.Ident, escapers))
		cmds = cmds[:len(cmds)-1]
	}
	if len(cmds) != 1 {
		return value{}, "", unfit("%s", p)
	}
	slices.Reverse(chain)
	v, err := c.command(cmds[0], sc)
	return v, strings.Join(chain, "|"), err
}

// pipe is the value of a pipeline that is not printed.
func (c *compiler) pipe(p *parse.PipeNode, sc *scope) (value, error) {
	if len(p.Cmds) != 1 {
		return value{}, unfit("%s", p)
	}
	return c.command(p.Cmds[0], sc)
}

func (c *compiler) command(cmd *parse.CommandNode, sc *scope) (value, error) {
	if id, ok := cmd.Args[0].(*parse.IdentifierNode); ok {
		return c.function(id.Ident, cmd.Args[1:], sc)
	}
	if len(cmd.Args) != 1 {
		return value{}, unfit("%s", cmd)
	}
	return c.operand(cmd.Args[0], sc)
}

func (c *compiler) operand(n parse.Node, sc *scope) (value, error) {
	switch n := n.(type) {
	case *parse.DotNode:
		if sc.dot == reflect.TypeFor[nothing]() {
			return value{}, unfit("a value without data")
		}
		return value{sc.dot, func(_ *run, dot reflect.Value) (reflect.Value, error) { return dot, nil }}, nil
	case *parse.FieldNode:
		v, err := c.operand(&parse.DotNode{}, sc)
		if err != nil {
			return value{}, err
		}
		return fields(v, n.Ident)
	case *parse.VariableNode:
		return sc.variable(n)
	case *parse.ChainNode:
		v, err := c.operand(n.Node, sc)
		if err != nil {
			return value{}, err
		}
		return fields(v, n.Field)
	case *parse.PipeNode:
		return c.pipe(n, sc)
	case *parse.StringNode:
		return constant(n.Text), nil
	case *parse.BoolNode:
		return constant(n.True), nil
	case *parse.NumberNode:
		if n.IsInt && int64(int(n.Int64)) == n.Int64 {
			return constant(int(n.Int64)), nil
		}
	}
	return value{}, unfit("%s", n)
}

func constant(v any) value {
	c := reflect.ValueOf(v)
	return value{c.Type(), func(*run, reflect.Value) (reflect.Value, error) { return c, nil }}
}

func (sc *scope) variable(n *parse.VariableNode) (value, error) {
	for _, known := range slices.Backward(sc.vars) {
		if known.name == n.Ident[0] && known.typ != reflect.TypeFor[nothing]() {
			at := known.at
			return fields(value{known.typ, func(r *run, _ reflect.Value) (reflect.Value, error) {
				return r.vars[r.base+at], nil
			}}, n.Ident[1:])
		}
	}
	return value{}, unfit("%s", n)
}

// fields follows a chain of names, from fields to the values of methods without
// arguments.
func fields(v value, names []string) (value, error) {
	for _, name := range names {
		var err error
		if v, err = field(v, name); err != nil {
			return value{}, err
		}
	}
	return v, nil
}

func field(v value, name string) (value, error) {
	if v.typ == nil || v.typ.Kind() == reflect.Interface {
		return value{}, unfit("%s of %v", name, v.typ)
	}
	if m, ok := v.typ.MethodByName(name); ok {
		return method(v, m)
	}
	structure := v.typ
	if structure.Kind() == reflect.Pointer {
		structure = structure.Elem()
		if _, ok := structure.MethodByName(name); ok {
			return value{}, unfit("the method %s of what %s points to", name, v.typ)
		}
	} else if _, ok := reflect.PointerTo(structure).MethodByName(name); ok {
		return value{}, unfit("the method %s of a pointer to %s", name, v.typ)
	}
	if structure.Kind() != reflect.Struct {
		return value{}, unfit("%s of %s", name, v.typ)
	}
	f, ok := structure.FieldByName(name)
	if !ok || !f.IsExported() {
		return value{}, unfit("%s has no field %s", structure, name)
	}
	pointer := v.typ.Kind() == reflect.Pointer
	return value{f.Type, func(r *run, dot reflect.Value) (reflect.Value, error) {
		s, err := v.get(r, dot)
		if err != nil {
			return s, err
		}
		if pointer {
			if s.IsNil() {
				return s, fmt.Errorf("%s of a nil pointer", name)
			}
			s = s.Elem()
		}
		if len(f.Index) == 1 {
			return s.Field(f.Index[0]), nil
		}
		return s.FieldByIndexErr(f.Index)
	}}, nil
}

func method(v value, m reflect.Method) (value, error) {
	if m.Type.NumIn() != 1 || m.Type.NumOut() != 1 {
		return value{}, unfit("the method %s", m.Name)
	}
	return value{m.Type.Out(0), func(r *run, dot reflect.Value) (reflect.Value, error) {
		s, err := v.get(r, dot)
		if err != nil {
			return s, err
		}
		if s.Kind() == reflect.Pointer && s.IsNil() {
			return s, fmt.Errorf("%s of a nil pointer", m.Name)
		}
		return s.Method(m.Index).Call(nil)[0], nil
	}}, nil
}

// function is a call of one of the template language's own functions.
func (c *compiler) function(name string, args []parse.Node, sc *scope) (value, error) {
	switch name {
	case "and", "or", "not", "eq", "ne":
		holds, err := c.logic(name, args, sc)
		if err != nil || name == "and" || name == "or" { // these give one of their arguments
			return value{}, unfitOr(err, name)
		}
		return value{reflect.TypeFor[bool](), func(r *run, dot reflect.Value) (reflect.Value, error) {
			yes, err := holds(r, dot)
			return reflect.ValueOf(yes), err
		}}, nil
	case "len":
		return c.length(args, sc)
	}
	return value{}, unfit("the function %s", name)
}

func unfitOr(err error, name string) error {
	if err != nil {
		return err
	}
	return unfit("the value of %s", name)
}

func (c *compiler) length(args []parse.Node, sc *scope) (value, error) {
	if len(args) != 1 {
		return value{}, unfit("len of %d values", len(args))
	}
	v, err := c.operand(args[0], sc)
	if err != nil {
		return value{}, err
	}
	if k := v.typ.Kind(); k != reflect.Slice && k != reflect.String && k != reflect.Array {
		return value{}, unfit("len of %s", v.typ)
	}
	return value{reflect.TypeFor[int](), func(r *run, dot reflect.Value) (reflect.Value, error) {
		list, err := v.get(r, dot)
		if err != nil {
			return list, err
		}
		return reflect.ValueOf(list.Len()), nil
	}}, nil
}

// test is a compiled condition.
type test func(r *run, dot reflect.Value) (bool, error)

// truth is a pipeline as a condition; it may set a variable.
func (c *compiler) truth(p *parse.PipeNode, sc *scope) (test, error) {
	if len(p.Cmds) == 1 && len(p.Decl) == 0 {
		return c.holds(p.Cmds[0], sc)
	}
	if len(p.Decl) != 1 || p.IsAssign {
		return nil, unfit("%s", p)
	}
	set, err := c.declare(p, sc)
	if err != nil {
		return nil, err
	}
	at := sc.vars[len(sc.vars)-1].at
	return func(r *run, dot reflect.Value) (bool, error) {
		if err := set(r, dot); err != nil {
			return false, err
		}
		return truthOf(r.vars[r.base+at]), nil
	}, nil
}

// holds is a command or an operand as a condition.
func (c *compiler) holds(n parse.Node, sc *scope) (test, error) {
	if p, ok := n.(*parse.PipeNode); ok && len(p.Cmds) == 1 && len(p.Decl) == 0 {
		n = p.Cmds[0]
	}
	cmd, ok := n.(*parse.CommandNode)
	if ok {
		if id, isID := cmd.Args[0].(*parse.IdentifierNode); isID && (id.Ident == "and" || id.Ident == "or" || id.Ident == "not") {
			return c.logic(id.Ident, cmd.Args[1:], sc)
		}
	}
	var v value
	var err error
	if ok {
		v, err = c.command(cmd, sc)
	} else {
		v, err = c.operand(n, sc)
	}
	if err != nil {
		return nil, err
	}
	return func(r *run, dot reflect.Value) (bool, error) {
		got, err := v.get(r, dot)
		return err == nil && truthOf(got), err
	}, nil
}

// logic is a call of and, or, not, eq or ne as a condition.
func (c *compiler) logic(name string, args []parse.Node, sc *scope) (test, error) {
	if name == "eq" || name == "ne" {
		return c.equality(args, sc, name == "eq")
	}
	var all []test
	for _, a := range args {
		t, err := c.holds(a, sc)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	if name == "not" {
		if len(all) != 1 {
			return nil, unfit("not of %d values", len(all))
		}
		return func(r *run, dot reflect.Value) (bool, error) {
			yes, err := all[0](r, dot)
			return !yes, err
		}, nil
	}
	until := name == "or" // the answer that settles it
	return func(r *run, dot reflect.Value) (bool, error) {
		for _, t := range all {
			if yes, err := t(r, dot); err != nil || yes == until {
				return yes, err
			}
		}
		return !until, nil
	}, nil
}

// equality compares two values of one kind: strings, integers or booleans.
func (c *compiler) equality(args []parse.Node, sc *scope, wanted bool) (test, error) {
	if len(args) != 2 {
		return nil, unfit("a comparison of %d values", len(args))
	}
	a, err := c.operand(args[0], sc)
	if err != nil {
		return nil, err
	}
	b, err := c.operand(args[1], sc)
	if err != nil {
		return nil, err
	}
	k := a.typ.Kind()
	if k != b.typ.Kind() || (k != reflect.String && k != reflect.Int && k != reflect.Bool) {
		return nil, unfit("a comparison of %s with %s", a.typ, b.typ)
	}
	return func(r *run, dot reflect.Value) (bool, error) {
		x, err := a.get(r, dot)
		if err != nil {
			return false, err
		}
		y, err := b.get(r, dot)
		return err == nil && x.Equal(y.Convert(x.Type())) == wanted, err
	}, nil
}

// truthOf says whether a value counts as true: text/template's rule.
func truthOf(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Slice, reflect.String, reflect.Map:
		return v.Len() > 0
	case reflect.Bool:
		return v.Bool()
	case reflect.Interface:
		return !v.IsNil() && truthOf(v.Elem())
	case reflect.Struct:
		return true
	case reflect.Invalid:
		return false
	}
	return !v.IsZero()
}

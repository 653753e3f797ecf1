package stencil

import (
	"fmt"
	"html/template"
	"reflect"
	"text/template/parse"
)

// step is a compiled node of a template. Dot is what "." is there.
type step func(r *run, dot reflect.Value) error

// body is a compiled template.
type body struct {
	steps step
	vars  int // how many variables it declares, "$" among them
}

// run runs a template with data of its own.
func (b *body) run(r *run, dot reflect.Value) error {
	outer, top := r.base, len(r.vars)
	r.base = top
	for range b.vars {
		r.vars = append(r.vars, reflect.Value{})
	}
	r.vars[top] = dot
	err := b.steps(r, dot)
	r.base, r.vars = outer, r.vars[:top]
	return err
}

// compiler compiles a template and those that it calls.
type compiler struct {
	t      *template.Template
	probes map[string]probe
	bodies map[key]*body // those in work too: templates may call themselves
}

// scope is where a node stands: the type of "." and the variables seen.
type scope struct {
	body *body
	dot  reflect.Type
	vars []variable
}

type variable struct {
	name string
	at   int // its place among those of its template
	typ  reflect.Type
}

func unfit(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUnfit, fmt.Sprintf(format, args...))
}

func (c *compiler) template(k key) (*body, error) {
	if b := c.bodies[k]; b != nil {
		return b, nil
	}
	t := c.t.Lookup(k.name)
	if t == nil || t.Tree == nil {
		return nil, unfit("the template %q is not there by that name", k.name)
	}
	b := &body{vars: 1}
	c.bodies[k] = b
	sc := &scope{body: b, dot: k.data, vars: []variable{{"$", 0, k.data}}}
	var err error
	b.steps, err = c.list(t.Tree.Root, sc)
	return b, err
}

// list compiles nodes in a scope of their own.
func (c *compiler) list(l *parse.ListNode, outer *scope) (step, error) {
	if l == nil {
		return nil, nil
	}
	sc := &scope{outer.body, outer.dot, outer.vars[:len(outer.vars):len(outer.vars)]}
	var steps []step
	for _, n := range l.Nodes {
		s, err := c.node(n, sc)
		if err != nil {
			return nil, err
		}
		if s != nil {
			steps = append(steps, s)
		}
	}
	if len(steps) == 1 {
		return steps[0], nil
	}
	return func(r *run, dot reflect.Value) error {
		for _, s := range steps {
			if err := s(r, dot); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func (c *compiler) node(n parse.Node, sc *scope) (step, error) {
	switch n := n.(type) {
	case *parse.TextNode:
		text := n.Text
		return func(r *run, _ reflect.Value) error {
			r.out = append(r.out, text...)
			return nil
		}, nil
	case *parse.ActionNode:
		return c.action(n.Pipe, sc)
	case *parse.IfNode:
		return c.condition(&n.BranchNode, sc)
	case *parse.WithNode:
		return c.with(&n.BranchNode, sc)
	case *parse.RangeNode:
		return c.ranged(&n.BranchNode, sc)
	case *parse.TemplateNode:
		return c.call(n, sc)
	case *parse.CommentNode:
		return nil, nil
	}
	return nil, unfit("%s", n)
}

// action prints a value, or sets a variable.
func (c *compiler) action(p *parse.PipeNode, sc *scope) (step, error) {
	if len(p.Decl) > 0 {
		return c.declare(p, sc)
	}
	value, chain, err := c.printed(p, sc)
	if err != nil {
		return nil, err
	}
	emit, err := c.emitter(chain, value.typ)
	if err != nil {
		return nil, err
	}
	return func(r *run, dot reflect.Value) error {
		v, err := value.get(r, dot)
		if err == nil {
			r.out, err = emit(r.out, v)
		}
		return err
	}, nil
}

func (c *compiler) declare(p *parse.PipeNode, sc *scope) (step, error) {
	if len(p.Decl) != 1 || p.IsAssign {
		return nil, unfit("%s", p)
	}
	value, err := c.pipe(p, sc)
	if err != nil {
		return nil, err
	}
	at := sc.add(p.Decl[0].Ident[0], value.typ)
	return func(r *run, dot reflect.Value) error {
		v, err := value.get(r, dot)
		r.vars[r.base+at] = v
		return err
	}, nil
}

func (sc *scope) add(name string, typ reflect.Type) int {
	at := sc.body.vars
	sc.body.vars++
	sc.vars = append(sc.vars, variable{name, at, typ})
	return at
}

// branches compiles both lists of an if, with or range.
func (c *compiler) branches(n *parse.BranchNode, then, otherwise *scope) (list, elseList step, err error) {
	if list, err = c.list(n.List, then); err != nil {
		return nil, nil, err
	}
	elseList, err = c.list(n.ElseList, otherwise)
	return list, elseList, err
}

func (c *compiler) condition(n *parse.BranchNode, sc *scope) (step, error) {
	inner := &scope{sc.body, sc.dot, sc.vars[:len(sc.vars):len(sc.vars)]}
	holds, err := c.truth(n.Pipe, inner)
	if err != nil {
		return nil, err
	}
	list, elseList, err := c.branches(n, inner, inner)
	if err != nil {
		return nil, err
	}
	return func(r *run, dot reflect.Value) error {
		yes, err := holds(r, dot)
		switch {
		case err != nil:
			return err
		case yes:
			return list(r, dot)
		case elseList != nil:
			return elseList(r, dot)
		}
		return nil
	}, nil
}

func (c *compiler) with(n *parse.BranchNode, sc *scope) (step, error) {
	inner := &scope{sc.body, sc.dot, sc.vars[:len(sc.vars):len(sc.vars)]}
	value, err := c.pipe(n.Pipe, inner)
	if err != nil {
		return nil, err
	}
	set := func(*run, reflect.Value) {}
	if len(n.Pipe.Decl) > 0 {
		at := inner.add(n.Pipe.Decl[0].Ident[0], value.typ)
		set = func(r *run, v reflect.Value) { r.vars[r.base+at] = v }
	}
	list, elseList, err := c.branches(n, &scope{sc.body, value.typ, inner.vars}, inner)
	if err != nil {
		return nil, err
	}
	return func(r *run, dot reflect.Value) error {
		v, err := value.get(r, dot)
		if err != nil {
			return err
		}
		set(r, v)
		switch {
		case truthOf(v):
			return list(r, v)
		case elseList != nil:
			return elseList(r, dot)
		}
		return nil
	}, nil
}

func (c *compiler) ranged(n *parse.BranchNode, sc *scope) (step, error) {
	value, err := c.pipe(n.Pipe, sc)
	if err != nil {
		return nil, err
	}
	if k := value.typ.Kind(); (k != reflect.Slice && k != reflect.Array) || len(n.Pipe.Decl) > 2 || n.Pipe.IsAssign {
		return nil, unfit("range over %s", value.typ)
	}
	inner := &scope{sc.body, value.typ.Elem(), sc.vars[:len(sc.vars):len(sc.vars)]}
	index, element := -1, -1
	if d := n.Pipe.Decl; len(d) > 0 {
		if len(d) == 2 {
			index = inner.add(d[0].Ident[0], reflect.TypeFor[int]())
		}
		element = inner.add(d[len(d)-1].Ident[0], inner.dot)
	}
	list, elseList, err := c.branches(n, inner, sc)
	if err != nil {
		return nil, err
	}
	return func(r *run, dot reflect.Value) error {
		v, err := value.get(r, dot)
		if err != nil {
			return err
		}
		if v.Len() == 0 && elseList != nil {
			return elseList(r, dot)
		}
		for i := range v.Len() {
			e := v.Index(i)
			if index >= 0 {
				r.vars[r.base+index] = reflect.ValueOf(i)
			}
			if element >= 0 {
				r.vars[r.base+element] = e
			}
			if err := list(r, e); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func (c *compiler) call(n *parse.TemplateNode, sc *scope) (step, error) {
	if n.Pipe == nil {
		b, err := c.template(key{n.Name, reflect.TypeFor[nothing]()})
		if err != nil {
			return nil, err
		}
		return func(r *run, _ reflect.Value) error { return b.run(r, reflect.ValueOf(nothing{})) }, nil
	}
	value, err := c.pipe(n.Pipe, sc)
	if err != nil {
		return nil, err
	}
	b, err := c.template(key{n.Name, value.typ})
	if err != nil {
		return nil, err
	}
	return func(r *run, dot reflect.Value) error {
		v, err := value.get(r, dot)
		if err != nil {
			return err
		}
		return b.run(r, v)
	}, nil
}

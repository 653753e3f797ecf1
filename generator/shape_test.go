package generator_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "benchlet.com/incidentlib/"

// below says which packages of ours each one may import (DESIGN 8): the data,
// what reads it, what is made of it, the files that come of that. A package
// that is not here may not exist.
func below() map[string][]string {
	data := []string{"incident", "problem", "markup"}
	made := slices.Concat(data, []string{"address", "library", "output"})
	of := map[string][]string{
		"incident":  {"escape"},
		"card":      nil,
		"cite":      {"escape", "incident"},
		"figure":    nil,
		"chart":     nil,
		"problem":   nil,
		"watch":     nil,
		"markup":    nil,
		"escape":    nil,
		"ordered":   nil,
		"output":    nil,
		"stencil":   nil,
		"address":   {"incident"},
		"host":      {"address", "incident", "output"},
		"seed":      slices.Concat(data, []string{"ordered"}),
		"library":   data,
		"check":     slices.Concat(data, []string{"address", "figure", "library", "seed"}),
		"page":      slices.Concat(made, []string{"card", "chart", "cite", "escape", "figure", "stencil"}),
		"mirror":    slices.Concat(made, []string{"escape", "ordered"}),
		"remote":    {"incident"},
		"replica":   {"address", "incident", "output", "remote"},
		"conform":   {"address", "host", "incident", "remote"},
		"shard":     {"output"},
		"upload":    {"host", "output"},
		"feed":      slices.Concat(made, []string{"escape", "host"}),
		"search":    slices.Concat(made, []string{"escape"}),
		"mcpserver": slices.Concat(made, []string{"escape", "problem", "replica", "search", "watch"}),
		"preview":   slices.Concat(made, []string{"host", "page", "problem", "watch"}),
	}
	allowed := map[string][]string{"templates": nil, "assets": nil,
		// The lab knows nothing of the library, nor its parts of one another.
		"cmd/llm-gateway/wire":    nil,
		"cmd/llm-gateway/gateway": {"cmd/llm-gateway/wire"},
		"cmd/llm-gateway/mock":    {"cmd/llm-gateway/wire"},
		"cmd/llm-gateway/storm":   nil,
		"generator/preview":       {"generator"}, // they make whole sites, again and again
		"generator/mcpserver":     {"generator"}}
	for name, list := range of {
		for _, other := range list {
			allowed["generator/"+name] = append(allowed["generator/"+name], "generator/"+other)
		}
		if list == nil {
			allowed["generator/"+name] = nil
		}
	}
	for name := range of {
		if name != "preview" && name != "mcpserver" {
			allowed["generator"] = append(allowed["generator"], "generator/"+name)
		}
	}
	return allowed
}

// source is a file of the program, not of its tests.
type source struct {
	pkg  string // "generator/page"
	name string
	set  *token.FileSet
	file *ast.File
}

// sources are all Go files of the repository but tests.
func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (strings.HasPrefix(e.Name(), ".") && name != "." || e.Name() == "testdata" || e.Name() == "node_modules" || name == "public"):
			return fs.SkipDir
		case e.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, name, src, parser.ParseComments)
		out = append(out, source{path.Dir(name), name, set, f})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Imports run one way: no package knows of what is made from it, and only the
// command joins the generator to the world.
func TestImportsRunOneWay(t *testing.T) {
	t.Parallel()
	allowed := below()
	for _, s := range sources(t) {
		list, known := allowed[s.pkg]
		command := path.Dir(s.pkg) == "cmd"
		if !known && !command {
			t.Errorf("%s: the package %s has no place in the order of imports", s.name, s.pkg)
			continue
		}
		for _, spec := range s.file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			ours, isOurs := strings.CutPrefix(imported, module)
			if isOurs && !command && !slices.Contains(list, ours) {
				t.Errorf("%s imports %s", s.name, ours)
			}
		}
	}
}

// Text becomes template.HTML, which no template escapes, in one place.
func TestOneMakerOfHTML(t *testing.T) {
	t.Parallel()
	var makers []string
	for _, s := range sources(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "HTML" {
					if pkg, ok := f.X.(*ast.Ident); ok && pkg.Name == "template" {
						makers = append(makers, s.at(call))
					}
				}
			}
			return true
		})
	}
	if len(makers) != 1 || !strings.HasPrefix(makers[0], "generator/page/templates.go") {
		t.Errorf("template.HTML is made at %q", makers)
	}
}

const maxLines = 80

// No package does anything on being imported, keeps state that can change, or
// panics; no function is longer than a screen or two.
func TestHabits(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				s.checkVars(t, d)
			case *ast.FuncDecl:
				s.checkFunc(t, d)
			}
		}
	}
}

func (s source) at(n ast.Node) string {
	p := s.set.Position(n.Pos())
	return s.name + ":" + strconv.Itoa(p.Line)
}

// checkVars allows what the compiler fills in and what nobody sets: embedded
// files, errors to compare with, proofs that a type implements an interface.
func (s source) checkVars(t *testing.T, d *ast.GenDecl) {
	t.Helper()
	if d.Tok != token.VAR || d.Doc != nil && strings.HasPrefix(d.Doc.List[len(d.Doc.List)-1].Text, "//go:embed") {
		return
	}
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || v.Names[0].Name == "_" {
			continue
		}
		if len(v.Values) != 1 || !isErrorsNew(v.Values[0]) {
			t.Errorf("%s: the package variable %s", s.at(v), v.Names[0].Name)
		}
	}
}

func isErrorsNew(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := f.X.(*ast.Ident)
	return ok && pkg.Name == "errors" && f.Sel.Name == "New"
}

func (s source) checkFunc(t *testing.T, d *ast.FuncDecl) {
	t.Helper()
	if d.Recv == nil && d.Name.Name == "init" {
		t.Errorf("%s: an init function", s.at(d))
	}
	lines := s.set.Position(d.End()).Line - s.set.Position(d.Pos()).Line + 1
	if lines > maxLines {
		t.Errorf("%s: %s has %d lines", s.at(d), d.Name.Name, lines)
	}
	ast.Inspect(d, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "panic" {
				t.Errorf("%s: panic", s.at(call))
			}
		}
		return true
	})
}

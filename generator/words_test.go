package generator_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"text/template/parse"

	"benchlet.com/incidentlib/templates"
)

// pageSource is what the page package says of words, templates and fields.
type pageSource struct {
	words     map[string]bool // every word asked for
	templates map[string]bool // every template asked for; one of a language without it
	fields    map[string]bool // every exported field of a struct without a json tag
}

func readPageSource(t *testing.T) pageSource {
	t.Helper()
	src := pageSource{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, f := range parseFolder(t, "page") {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				src.addCall(t, n)
			case *ast.IndexExpr:
				if s, ok := n.X.(*ast.SelectorExpr); ok && s.Sel.Name == "words" {
					addLiteral(src.words, n.Index)
				}
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "template" {
					addLiteral(src.templates, n.Value)
				}
			case *ast.TypeSpec:
				return !strings.HasSuffix(n.Name.Name, "Error")
			case *ast.StructType:
				src.addFields(n)
			}
			return true
		})
	}
	return src
}

// addCall notes the word or the template that a call asks for. A word is always
// a literal, or nobody could tell which are asked for.
func (src *pageSource) addCall(t *testing.T, call *ast.CallExpr) {
	t.Helper()
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	switch f.Sel.Name {
	case "word":
		if !addLiteral(src.words, call.Args[0]) {
			t.Error("a call of word has no literal")
		}
	case "execute", "foreign", "textPage":
		addLiteral(src.templates, call.Args[0])
	case "executeTo":
		addLiteral(src.templates, call.Args[1])
	}
}

func addLiteral(to map[string]bool, e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return false
	}
	s, err := strconv.Unquote(lit.Value)
	to[s] = true
	return err == nil
}

func (src *pageSource) addFields(s *ast.StructType) {
	for _, f := range s.Fields.List {
		for _, name := range f.Names {
			if name.IsExported() && f.Tag == nil {
				src.fields[name.Name] = true
			}
		}
	}
}

func parseFolder(t *testing.T, dir string) []*ast.File {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), dir+"/"+e.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

// templateSource is what the templates say of words, templates and fields.
type templateSource struct {
	words, defined, called, fields map[string]bool
}

func readTemplates(t *testing.T) templateSource {
	t.Helper()
	src := templateSource{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	word := regexp.MustCompile(`\{\{-? ?word "([^"]*)"`)
	names, err := fs.Glob(templates.Files(), "*.html")
	if err != nil || len(names) == 0 {
		t.Fatal("no templates", err)
	}
	all := template.New("").Funcs(template.FuncMap{"word": func(string) string { return "" }})
	for _, name := range names {
		b, err := fs.ReadFile(templates.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range word.FindAllStringSubmatch(string(b), -1) {
			src.words[m[1]] = true
		}
		if _, err := all.Parse(string(b)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	for _, tmpl := range all.Templates() {
		if tmpl.Name() != "" {
			src.defined[tmpl.Name()] = true
			src.walk(tmpl.Root)
		}
	}
	return src
}

// walk notes the fields and templates below a node.
func (src *templateSource) walk(n parse.Node) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, c := range n.Nodes {
			src.walk(c)
		}
	case *parse.ActionNode:
		src.walk(n.Pipe)
	case *parse.PipeNode:
		if n == nil {
			return
		}
		for _, c := range n.Cmds {
			src.walk(c)
		}
	case *parse.CommandNode:
		for _, c := range n.Args {
			src.walk(c)
		}
	case *parse.TemplateNode:
		src.called[n.Name] = true
		src.walk(n.Pipe)
	case *parse.IfNode:
		src.branch(&n.BranchNode)
	case *parse.WithNode:
		src.branch(&n.BranchNode)
	case *parse.RangeNode:
		src.branch(&n.BranchNode)
	case *parse.FieldNode:
		src.note(n.Ident)
	case *parse.VariableNode:
		src.note(n.Ident[1:])
	case *parse.ChainNode:
		src.note(n.Field)
		src.walk(n.Node)
	}
}

func (src *templateSource) branch(n *parse.BranchNode) {
	src.walk(n.Pipe)
	src.walk(n.List)
	src.walk(n.ElseList)
}

func (src *templateSource) note(idents []string) {
	for _, s := range idents {
		src.fields[s] = true
	}
}

// Every word that a page asks for is in words.json, in both languages, and
// every word there is asked for; every template is used; every field of a
// page's struct is read by a template, and no other.
func TestWordsTemplatesAndFields(t *testing.T) {
	t.Parallel()
	code, tmpl := readPageSource(t), readTemplates(t)
	b, err := fs.ReadFile(templates.Files(), "words.json")
	if err != nil {
		t.Fatal(err)
	}
	var words map[string]struct{ EN, KO string }
	if err := json.Unmarshal(b, &words); err != nil {
		t.Fatal(err)
	}
	for _, asked := range []map[string]bool{code.words, tmpl.words} {
		for _, w := range sortedKeys(asked) {
			if words[w].EN == "" || words[w].KO == "" {
				t.Errorf("words.json lacks %q", w)
			}
		}
	}
	for _, w := range sortedKeys(words) {
		if !tmpl.words[w] && !code.words[w] {
			t.Errorf("nobody asks for the word %q", w)
		}
	}
	for _, name := range sortedKeys(tmpl.defined) {
		// A page in a template of its language is named "about-" + "en".
		base := strings.TrimSuffix(strings.TrimSuffix(name, "-en"), "-ko")
		if !tmpl.called[name] && !code.templates[name] && !(base != name && code.templates[base]) {
			t.Errorf("the template %q is never used", name)
		}
	}
	// Fields of options, of a word, and what only the page package itself reads.
	settings := map[string]bool{"Site": true, "Templates": true, "Assets": true, "Cards": true, "Verbose": true, "EN": true, "KO": true, "Old": true, "Storm": true}
	for _, f := range sortedKeys(code.fields) {
		if !tmpl.fields[f] && !settings[f] {
			t.Errorf("no template reads the field %s", f)
		}
	}
	for _, f := range sortedKeys(tmpl.fields) {
		if !code.fields[f] {
			t.Errorf("a template reads the field %s, which no struct has", f)
		}
	}
}

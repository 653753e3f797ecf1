// Command sbom writes what a program of ours is made of, as CycloneDX JSON: each
// module that the linker took, its version, its checksum of go.sum and its
// licence. It reads the program itself, not the list of what might be in it, and
// needs no network.
//
//	sbom bin/incidentlib >incidentlib.cdx.json
//	govulncheck -format json ./cmd/... | sbom vuln
//
// The second says which known faults our programs call.
//
// One program always gives one document: there is no time and no number in it
// that is drawn.
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	_ "embed"
)

// licencesTSV are the licences of all modules that our programs take in, as SPDX
// names them. A test holds the list to what is in the modules.
//
//go:embed licences.tsv
var licencesTSV string

// standard is what the list calls the standard library.
const standard = "std"

func main() {
	var err error
	if len(os.Args) == 2 && os.Args[1] == "vuln" {
		err = faults(os.Stdin, os.Stdout)
	} else {
		err = run(os.Args[1:], os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(args []string, w io.Writer) error {
	if len(args) != 1 {
		return errors.New("name one program that go build made")
	}
	info, err := buildinfo.ReadFile(args[0])
	if err != nil {
		return err
	}
	doc, err := billOf(info, licences(licencesTSV))
	if err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}

// licences are the licences of modules by their paths.
func licences(tsv string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(tsv) {
		if path, licence, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok {
			out[path] = licence
		}
	}
	return out
}

// bill is a document of CycloneDX 1.6, as far as there is anything to say.
type bill struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	Licences   []licence  `json:"licenses,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type licence struct {
	Expression string `json:"expression"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// dependency says what a component holds. How modules hold one another is in
// go.mod; in a program each is there once.
type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// billOf is what a program is made of. A module without a licence in the list is
// an error: nobody looked at it.
func billOf(info *debug.BuildInfo, known map[string]string) (bill, error) {
	root := component{Type: "application", Ref: info.Path, Name: info.Path, Version: info.Main.Version}
	version := strings.TrimPrefix(strings.Fields(info.GoVersion)[0], "go")
	std := component{Type: "library", Name: standard, Version: version, PURL: "pkg:golang/std@" + version}
	components := []component{std}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := component{Type: "library", Name: m.Path, Version: m.Version, PURL: "pkg:golang/" + m.Path + "@" + m.Version}
		if m.Sum != "" {
			c.Properties = []property{{"go.sum", m.Sum}}
		}
		components = append(components, c)
	}
	all := dependency{Ref: root.Ref, DependsOn: []string{}}
	for i := range components {
		c := &components[i]
		text := known[c.Name]
		if text == "" {
			return bill{}, fmt.Errorf("the licence of %s is not known; read it, and add it to cmd/sbom/licences.tsv", c.Name)
		}
		c.Ref, c.Licences = c.PURL, []licence{{text}}
		all.DependsOn = append(all.DependsOn, c.Ref)
	}
	// The one part that is no Go: the font of the cards.
	font := component{Type: "file", Ref: "font:pretendard", Name: "Pretendard SemiBold", Version: "1.3.9", Licences: []licence{{"OFL-1.1"}}}
	if strings.HasSuffix(info.Path, "/incidentlib") {
		components, all.DependsOn = append(components, font), append(all.DependsOn, font.Ref)
	}
	return bill{"CycloneDX", "1.6", 1, metadata{root}, components, []dependency{all}}, nil
}

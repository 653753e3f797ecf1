package generator

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/js"
	"github.com/tdewolff/minify/v2/svg"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/card"
	"benchlet.com/incidentlib/generator/host"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/page"
)

// Options say what a design is made from.
type Options struct {
	Templates fs.FS
	Assets    fs.FS
	Hosts     []host.Name // to write files for, besides those that are always written
	NoCards   bool        // leave out the pictures that other sites show beside a link
	Verbose   bool        // pages as their templates are written, for reading and for tests
}

// Design is what a site is made with besides its seeds: templates and assets,
// made small and ready. It is never changed once made.
type Design struct {
	templates *page.Templates
	assets    []asset
	cards     *card.Drawer // nil where there are to be none
	hosts     []host.Name
}

// asset is a file that pages link, under a name that carries a hash of it.
type asset struct {
	name  string // what templates and scripts call it: "search.js"
	file  string // where it is published: "assets/search-1a2b3c4d.js"
	bytes []byte
}

// AssetError says which asset cannot be used.
type AssetError struct {
	Name string
	Err  error
}

func (e *AssetError) Error() string { return "assets/" + e.Name + ": " + e.Err.Error() }
func (e *AssetError) Unwrap() error { return e.Err }

// NewDesign loads templates and assets.
func NewDesign(opt Options) (*Design, error) {
	t, err := page.LoadTemplates(opt.Templates, opt.Verbose)
	if err != nil {
		return nil, err
	}
	assets, err := loadAssets(opt.Assets)
	if err != nil {
		return nil, err
	}
	d := &Design{templates: t, assets: assets, hosts: opt.Hosts}
	if !opt.NoCards {
		d.cards, err = loadCards(opt.Assets)
	}
	return d, err
}

// cardFont is the font of the cards, among the assets. It has every syllable of
// Korean, for nobody knows which a title will use.
const cardFont = "fonts/Pretendard-SemiBold.otf"

func loadCards(fsys fs.FS) (*card.Drawer, error) {
	font, err := fs.ReadFile(fsys, cardFont)
	if err != nil {
		return nil, &AssetError{cardFont, fmt.Errorf("%w; put it back, or leave out the cards with --no-cards", err)}
	}
	d, err := card.New(font)
	if err != nil {
		return nil, &AssetError{cardFont, err}
	}
	return d, nil
}

// files are the assets to publish, and addresses where pages find them.
func (d *Design) files(site address.Site) (files []output.File, addresses page.Assets) {
	addresses = page.Assets{}
	for _, a := range d.assets {
		files = append(files, output.Bytes(a.file, output.Asset, a.bytes))
		addresses[a.name] = site.Asset(a.file)
	}
	return files, addresses
}

// baseStyle is the style sheet that the others follow; all are one sheet in
// what is published, of this name.
const baseStyle = "style.css"

// loadAssets makes the assets from the files in the root of fsys: the style
// sheets are joined, the base first and the others by name; a script may import
// another, which it names "./name.js"; pictures and fonts are taken as they are.
func loadAssets(fsys fs.FS) ([]asset, error) {
	names, err := fs.Glob(fsys, "*")
	if err != nil {
		return nil, err
	}
	l := &assetLoader{fsys: fsys, made: map[string]*asset{}, small: minify.New()}
	l.small.AddFunc(".css", css.Minify)
	l.small.AddFunc(".js", js.Minify)
	l.small.AddFunc(".svg", svg.Minify)
	if err := l.style(names); err != nil {
		return nil, err
	}
	for _, name := range names {
		switch path.Ext(name) {
		case ".js":
			err = l.script(name, nil)
		case ".svg", ".woff2":
			var b []byte
			if b, err = fs.ReadFile(fsys, name); err == nil {
				err = l.add(name, b)
			}
		}
		if err != nil {
			return nil, &AssetError{name, err}
		}
	}
	var assets []asset
	for _, a := range l.made {
		assets = append(assets, *a)
	}
	slices.SortFunc(assets, func(a, b asset) int { return strings.Compare(a.name, b.name) })
	return assets, nil
}

type assetLoader struct {
	fsys  fs.FS
	small *minify.M // by the extension of a file's name
	made  map[string]*asset
}

func (l *assetLoader) add(name string, b []byte) error {
	if ext := path.Ext(name); ext != ".woff2" {
		var err error
		if b, err = l.small.Bytes(ext, b); err != nil {
			return err
		}
	}
	l.made[name] = &asset{name, address.AssetFile(name, b), b}
	return nil
}

func (l *assetLoader) style(names []string) error {
	var sheet bytes.Buffer
	for _, name := range append([]string{baseStyle}, names...) {
		if path.Ext(name) != ".css" || (name == baseStyle && sheet.Len() > 0) {
			continue
		}
		b, err := fs.ReadFile(l.fsys, name)
		if err != nil {
			return &AssetError{name, err}
		}
		sheet.Write(b)
		sheet.WriteByte('\n')
	}
	if err := l.add(baseStyle, sheet.Bytes()); err != nil {
		return &AssetError{baseStyle, err}
	}
	return nil
}

// script makes a script after those that it imports, whose published names it
// has to carry.
func (l *assetLoader) script(name string, importers []string) error {
	if l.made[name] != nil {
		return nil
	}
	if slices.Contains(importers, name) {
		return fmt.Errorf("imports itself by way of %s", strings.Join(importers, ", "))
	}
	b, err := fs.ReadFile(l.fsys, name)
	if err != nil {
		return err
	}
	for _, other := range imports(b) {
		if err := l.script(other, append(importers, name)); err != nil {
			return err
		}
		b = bytes.ReplaceAll(b, []byte(`"./`+other+`"`), []byte(`"./`+path.Base(l.made[other].file)+`"`))
	}
	return l.add(name, b)
}

// imports are the scripts that a script names as "./name.js".
func imports(b []byte) (names []string) {
	for _, part := range strings.Split(string(b), `"./`)[1:] {
		name, _, ok := strings.Cut(part, `"`)
		if ok && path.Ext(name) == ".js" && path.Base(name) == name && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Package card draws the picture that other sites show beside a link to a page:
// 1200 by 630 pixels, as a PNG of 16 colours.
//
// The same card is the same bytes on every machine. Outlines are scaled,
// flattened and placed in whole numbers, of which a pixel has 64; what is left
// to golang.org/x/image/vector are straight lines in masks of at most 512
// pixels, which it fills in fixed point, with no product that one processor adds
// in a step and another in two.
package card

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"sync"

	"golang.org/x/image/font/sfnt"
)

// Width and Height are the size of a card in pixels.
const (
	Width  = 1200
	Height = 630
)

// version is part of each key: it changes when the same card is to look another
// way.
const version = "1"

// Card is what a card says. Its texts are plain; one that is "" is left out.
type Card struct {
	Site  string // the name of the library
	ID    string
	Title string
	Org   string
	Date  string
	Cause string // the label of the root cause
}

// Drawer draws cards with a font. It is never changed once made and is safe for
// concurrent use.
type Drawer struct {
	font   *sfnt.Font
	digest string // of the font
	pool   sync.Pool
}

// New makes a Drawer of an OpenType or TrueType font.
func New(font []byte) (*Drawer, error) {
	f, err := sfnt.Parse(font)
	if err != nil {
		return nil, fmt.Errorf("the font of the cards cannot be read: %w", err)
	}
	sum := sha256.Sum256(font)
	d := &Drawer{font: f, digest: hex.EncodeToString(sum[:])}
	d.pool.New = func() any { return newCanvas(f) }
	return d, nil
}

// Key is the digest of all that a card's bytes are made from: two cards of one
// key are the same picture.
func (d *Drawer) Key(c Card) string {
	h := sha256.New()
	for _, s := range []string{version, d.digest, c.Site, c.ID, c.Title, c.Org, c.Date, c.Cause} {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Draw appends the PNG of a card to dst.
func (d *Drawer) Draw(dst *bytes.Buffer, c Card) error {
	v, _ := d.pool.Get().(*canvas)
	defer d.pool.Put(v)
	clear(v.img.Pix)
	v.card(c)
	if v.err != nil {
		err := v.err
		v.err = nil
		return err
	}
	return v.encode(dst)
}

// canvas is a card being drawn, and the memory that the next one can use again.
type canvas struct {
	img  *image.Paletted
	font *sfnt.Font
	buf  sfnt.Buffer
	pen  pen
	err  error // the first; a font that cannot be read ends in an error, not in a gap

	letters map[rune]letter
	kerns   map[[2]sfnt.GlyphIndex]int
	packed  bytes.Buffer
	zip     *zlib.Writer
}

func newCanvas(f *sfnt.Font) *canvas {
	return &canvas{img: image.NewPaletted(image.Rect(0, 0, Width, Height), colours()), font: f,
		letters: map[rune]letter{}, kerns: map[[2]sfnt.GlyphIndex]int{}}
}

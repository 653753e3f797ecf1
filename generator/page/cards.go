package page

import (
	"bytes"
	"crypto/sha256"
	"runtime"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/card"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/output"
)

// cardView is the picture that other sites show beside a link to a page.
type cardView struct {
	URL, Alt      string
	Width, Height int
}

// cardView is the card of a page; nil where there are none.
func (m *maker) cardView(v view) *cardView {
	if m.cards == nil {
		return nil
	}
	c := &cardView{m.site.FileURL(m.lang, address.SiteCard), m.name, card.Width, card.Height}
	if v.card != "" {
		c.URL, c.Alt = m.site.FileURL(m.lang, v.card), v.cardAlt
	}
	return c
}

// cardFile plans a card, where there are any. Drawing is slow beside all else,
// so a card whose words did not change is never drawn again.
func (m *maker) cardFile(at address.File, make func() card.Card) []output.File {
	if m.cards == nil {
		return nil
	}
	return []output.File{{Path: m.site.Output(m.lang, at), Kind: output.Data,
		Render: func(dst *bytes.Buffer) error { return m.cards.Draw(dst, make()) },
		Key: func() output.Key {
			// How a picture is packed is the Go release's to say.
			sum := sha256.Sum256([]byte(m.cards.Key(make()) + runtime.Version()))
			return output.Key(sum[:len(output.Key{})])
		}}}
}

// cardOf is the card of a case.
func (m *maker) cardOf(c *incident.Case) card.Card {
	d := card.Card{Site: m.name, ID: c.ID, Title: m.plainLine(c.Title), Org: c.Org, Date: dateText(c.Date, m.lang)}
	if c.RootCause != "" {
		d.Cause = m.term(incident.RootCause, c.RootCause).label
	}
	return d
}

// siteCard is the card of all other pages.
func (m *maker) siteCard() card.Card {
	title := m.plainLine(m.lib.Collection().Site.Tagline)
	if title == "" {
		title = m.name
	}
	_, address, _ := strings.Cut(m.site.URL(m.lang, address.Home), "://")
	return card.Card{Site: m.name, Title: title, Org: strings.TrimSuffix(address, "/")}
}

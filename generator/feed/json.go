package feed

import (
	"bytes"
	"encoding/json"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// The documents of JSON Feed 1.1.
type jsonFeed struct {
	Version     string     `json:"version"`
	Title       string     `json:"title"`
	HomePage    string     `json:"home_page_url"`
	FeedURL     string     `json:"feed_url"`
	Description string     `json:"description"`
	Language    string     `json:"language"`
	Authors     []jsonBy   `json:"authors"`
	Items       []jsonItem `json:"items"`

	Others jsonOthers `json:"_other_language"`
}

type jsonBy struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// jsonOthers leads to the same feed in the other language: the format has no
// field for it, and lets anyone add one that begins with "_".
type jsonOthers struct {
	Language string `json:"language"`
	FeedURL  string `json:"feed_url"`
}

type jsonItem struct {
	ID       string   `json:"id"`
	URL      string   `json:"url"`
	Title    string   `json:"title"`
	HTML     string   `json:"content_html"`
	Modified string   `json:"date_modified"`
	Tags     []string `json:"tags,omitempty"`
	Language string   `json:"language,omitempty"`
}

func (m *maker) json(dst *bytes.Buffer, ch channel, l incident.Lang) error {
	other := l.Other()
	f := jsonFeed{Version: "https://jsonfeed.org/version/1.1", Title: ch.title(l), HomePage: m.site.URL(l, ch.path),
		FeedURL: m.site.FileURL(l, address.JSONFeed(ch.path)), Description: m.order(l), Language: string(l),
		Authors: []jsonBy{{m.line(m.lib.Collection().Site.Title, l), m.site.URL(l, address.Home)}}, Items: []jsonItem{},
		Others: jsonOthers{string(other), m.site.FileURL(other, address.JSONFeed(ch.path))}}
	for _, c := range ch.cases() {
		e := m.entry(c, l)
		item := jsonItem{ID: e.url, URL: e.url, Title: e.title, HTML: e.html, Modified: e.updated, Language: unlike(e.htmlLang, l)}
		for _, t := range e.tags {
			item.Tags = append(item.Tags, t.label)
		}
		f.Items = append(f.Items, item)
	}
	enc := json.NewEncoder(dst) // compact, one final newline
	enc.SetEscapeHTML(false)
	return enc.Encode(f)
}

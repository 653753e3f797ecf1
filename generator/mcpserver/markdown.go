package mcpserver

import (
	"bytes"
	"fmt"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// heading is a part of a case's Markdown.
type heading struct {
	field  string // a text, or a list of texts
	en, ko string
}

func headings() []heading {
	return []heading{
		{"summary", "Summary", "요약"}, {"symptoms_text", "Symptoms", "증상"}, {"trigger", "Trigger", "촉발"},
		{"remediation", "Remediation", "조치"}, {"action_items", "Action items", "후속 조치"}, {"lessons", "Lessons", "교훈"},
	}
}

// markdown writes a case for reading, in a language where its texts have it.
func markdown(id string, c *record, v *vocabulary, l incident.Lang) ([]byte, error) {
	r := request{vocab: v, lang: l}
	say := func(en, ko string) string {
		if l == incident.KO {
			return ko
		}
		return en
	}
	var b bytes.Buffer
	card, err := newCard(id, c)
	if err != nil {
		return nil, err
	}
	title, _ := card.title.Best(l)
	fmt.Fprintf(&b, "# %s\n\n%s · %s · %s\n", oneLine(title), id, oneLine(card.org), card.date)
	if card.rootCause != "" {
		fmt.Fprintf(&b, "\n%s: %s\n", say("Root cause", "원인"), r.labelOf("root_cause", card.rootCause))
	}
	for _, h := range headings() {
		text, err := prose(c, h.field, l)
		if err != nil {
			return nil, fmt.Errorf("the document of %s: %w", id, err)
		}
		if text != "" {
			fmt.Fprintf(&b, "\n## %s\n\n%s\n", say(h.en, h.ko), text)
		}
	}
	type source struct {
		URL      string `json:"url"`
		Archived string `json:"archived"`
	}
	sources, err := decoded[[]source](c, "sources")
	if err != nil {
		return nil, fmt.Errorf("the document of %s: %w", id, err)
	}
	if len(sources) > 0 {
		fmt.Fprintf(&b, "\n## %s\n\n", say("Sources", "출처"))
	}
	for _, s := range sources {
		fmt.Fprintf(&b, "- <%s>\n", s.URL)
	}
	fmt.Fprintf(&b, "\n%s\n", v.site.URL(l, address.Case(id)))
	return b.Bytes(), nil
}

// prose is a text of a case, or a list of them as a list.
func prose(c *record, name string, l incident.Lang) (string, error) {
	raw := c.field(name)
	if raw == nil || raw.Kind() != '[' {
		t, err := decoded[langText](c, name)
		s, _ := t.text().Best(l)
		return strings.TrimSpace(s), err
	}
	list, err := decoded[[]struct {
		Text langText `json:"text"`
	}](c, name)
	var out []string
	for _, item := range list {
		s, _ := item.Text.text().Best(l)
		out = append(out, "- "+strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n  "))
	}
	return strings.Join(out, "\n"), err
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

package seed

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"benchlet.com/incidentlib/generator/incident"
)

// frontMatter is what stands between two lines of "---" at the top of an
// article: one "key: value" a line.
type frontMatter struct {
	title, summary     string
	published, updated incident.Date
}

// readArticles reads articles/SLUG.LANG.md; the languages of a slug are one
// article.
func (r *reader) readArticles() []incident.Article {
	var out []incident.Article
	for _, name := range r.walk("articles", func(n string) bool { return path.Ext(n) == ".md" }) {
		slug, lang, ok := articleName(name)
		if !ok {
			r.report(name, "the file's name does not say which article and language it is", "name it articles/SLUG.LANG.md, as in articles/retry-storms.en.md")
			continue
		}
		src := r.read(name, maxTopic)
		if src == nil {
			continue
		}
		text, ok := r.prose(name, src)
		if !ok {
			continue
		}
		front, body, at, ok := r.frontMatter(name, text)
		if !ok {
			continue
		}
		if n := len(out); n == 0 || out[n-1].Slug != slug {
			out = append(out, incident.Article{Slug: slug, Published: front.published, Updated: front.updated})
		}
		a := &out[len(out)-1]
		if a.Published != front.published || a.Updated != front.updated {
			r.fault(name, 1, "its dates differ from those of "+a.Files.EN+a.Files.KO, "write the same dates in both languages")
			continue
		}
		if lang == incident.KO {
			a.LineKO = at
		} else {
			a.LineEN = at
		}
		setText(&a.Files, lang, r.shown(name))
		setText(&a.Title, lang, front.title)
		setText(&a.Summary, lang, front.summary)
		setText(&a.Body, lang, body)
	}
	return out
}

func setText(t *incident.Text, l incident.Lang, s string) {
	if l == incident.KO {
		t.KO = s
	} else {
		t.EN = s
	}
}

func articleName(name string) (slug string, l incident.Lang, ok bool) {
	slug, lang, _ := strings.Cut(stem(name), ".")
	ok = strings.Count(name, "/") == 1 && incident.ValidSlug(slug) && !slices.Contains(incident.ReservedSlugs(), slug) && (lang == string(incident.EN) || lang == string(incident.KO))
	return slug, incident.Lang(lang), ok
}

// frontMatter takes an article apart; every fault in its front matter is
// reported. The body begins at line at of the file.
func (r *reader) frontMatter(name, text string) (f frontMatter, body string, at int, ok bool) {
	lines := strings.Split(text, "\n")
	end := -1
	for i := 1; i < len(lines) && end < 0; i++ {
		if strings.TrimRight(lines[i], " ") == "---" {
			end = i
		}
	}
	if strings.TrimRight(lines[0], " ") != "---" || end < 0 {
		r.fault(name, 1, "the front matter is missing", `begin the file with "---", lines such as "title: …", and "---" again`)
		return f, "", 0, false
	}
	before := len(r.problems)
	seen := map[string]bool{}
	for i, line := range lines[1:end] {
		if !blank(line) {
			r.frontLine(name, i+2, line, &f, seen)
		}
	}
	for _, key := range []string{"title", "summary", "published"} {
		if !seen[key] {
			r.fault(name, 1, fmt.Sprintf("the front matter has no %q", key), fmt.Sprintf(`add a line "%s: …"`, key))
		}
	}
	at = end + 2
	body = strings.Join(lines[end+1:], "\n")
	if blank(body) {
		r.fault(name, end+1, "the article is empty below its front matter", "write its text")
	}
	return f, body, at, len(r.problems) == before
}

func (r *reader) frontLine(name string, at int, line string, f *frontMatter, seen map[string]bool) {
	keys := []string{"title", "summary", "published", "updated"}
	key, value, found := strings.Cut(line, ":")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !found || value == "" {
		seen[key] = true
		r.fault(name, at, "this line of the front matter is not of the form key: value", "write one of "+strings.Join(keys, ", ")+", a colon and its value")
		return
	}
	if seen[key] {
		r.fault(name, at, fmt.Sprintf("the key %q stands here twice", key), "keep one of the two")
		return
	}
	seen[key] = true
	var err error
	switch key {
	case "title":
		f.title = value
	case "summary":
		f.summary = value
	case "published":
		f.published, err = incident.ParseDate(value)
	case "updated":
		f.updated, err = incident.ParseDate(value)
	default:
		seen[Nearest(key, keys)] = true // misspelt, not missing too
		r.fault(name, at, "there is no key "+quote(key)+" here", didYouMean(key, keys, "delete it"))
	}
	if err != nil {
		r.fault(name, at, err.Error(), "write a date such as 2026-11-29")
	}
}

package markup

import (
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// seen is what a reader meets in rendered HTML, in order.
type seen struct {
	text   string // text content, with the numbers of ordered lists
	all    string // text, and the address and title of each link after its text
	hrefs  []string
	blocks bool // there is an element that no line may have
}

// allowed lists every element that may appear and its attributes.
func allowed() map[string][]string {
	return map[string][]string{
		"p": nil, "em": nil, "strong": nil, "del": nil, "code": nil, "br": nil,
		"a": {"href", "title", "rel"}, "hr": nil, "blockquote": nil,
		"h1": {"id"}, "h2": {"id"}, "h3": {"id"}, "h4": {"id"}, "h5": {"id"}, "h6": {"id"},
		"ul": {"class"}, "ol": {"start"}, "li": {"value"}, "pre": {"tabindex"},
		"figure": {"class"}, "figcaption": nil, "div": {"class", "tabindex"},
		"table": nil, "thead": nil, "tbody": nil, "tr": nil,
		"th": {"scope", "class"}, "td": {"class"},
	}
}

func isInlineElement(name string) bool {
	return slices.Contains([]string{"em", "strong", "del", "code", "a"}, name)
}

// inspect tokenizes HTML and fails on anything that the package may not write:
// other elements or attributes, tags out of balance, links within links.
func inspect(doc []byte) (*seen, error) {
	p := &inspector{z: html.NewTokenizer(strings.NewReader(string(doc)))}
	for p.z.Next() != html.ErrorToken {
		if err := p.token(p.z.Token()); err != nil {
			return nil, fmt.Errorf("%w in %s", err, doc)
		}
	}
	if p.z.Err() != io.EOF || len(p.open) > 0 {
		return nil, fmt.Errorf("left open: %v %w in %s", p.open, p.z.Err(), doc)
	}
	p.text, p.all = p.words.String(), p.every.String()
	return &p.seen, nil
}

type inspector struct {
	seen
	words   strings.Builder // becomes seen.text
	every   strings.Builder // becomes seen.all
	z       *html.Tokenizer
	open    []string
	numbers []int // per open list the next number; 0 for one without
	links   []string
	id      string // of the open heading
}

func (p *inspector) token(t html.Token) error {
	switch t.Type {
	case html.TextToken:
		p.words.WriteString(t.Data)
		p.every.WriteString(t.Data)
	case html.StartTagToken:
		return p.start(t)
	case html.EndTagToken:
		if len(p.open) == 0 || p.open[len(p.open)-1] != t.Data {
			return fmt.Errorf("</%s> closes %v", t.Data, p.open)
		}
		p.open = p.open[:len(p.open)-1]
		switch t.Data {
		case "ol", "ul":
			p.numbers = p.numbers[:len(p.numbers)-1]
		case "a":
			p.every.WriteString(p.links[len(p.links)-1])
			p.links = p.links[:len(p.links)-1]
		case "h1", "h2", "h3", "h4", "h5", "h6":
			p.every.WriteString(" " + p.id + " ")
		}
	default:
		return fmt.Errorf("a %v", t.Type)
	}
	return nil
}

func (p *inspector) start(t html.Token) error {
	attrs, ok := allowed()[t.Data]
	if !ok {
		return fmt.Errorf("<%s>", t.Data)
	}
	p.blocks = p.blocks || !isInlineElement(t.Data)
	value := map[string]string{}
	for _, a := range t.Attr {
		if _, twice := value[a.Key]; twice || !slices.Contains(attrs, a.Key) {
			return fmt.Errorf("attribute %s of <%s>", a.Key, t.Data)
		}
		value[a.Key] = a.Val
	}
	if t.Data == "br" || t.Data == "hr" {
		return nil
	}
	if t.Data == "a" {
		if slices.Contains(p.open, "a") {
			return fmt.Errorf("link in a link")
		}
		p.hrefs = append(p.hrefs, value["href"])
		href, err := url.PathUnescape(value["href"])
		if err != nil {
			href = value["href"]
		}
		p.links = append(p.links, " "+href+" "+value["title"]+" ")
	}
	if slices.Contains(attrs, "id") {
		p.id = value["id"]
	}
	p.open = append(p.open, t.Data)
	p.number(t.Data, value)
	return nil
}

// number does what a browser does to count list items.
func (p *inspector) number(name string, value map[string]string) {
	switch name {
	case "ul":
		p.numbers = append(p.numbers, -1)
	case "ol":
		start := 1
		if s, ok := value["start"]; ok {
			start, _ = strconv.Atoi(s)
		}
		p.numbers = append(p.numbers, start)
	case "li":
		next := &p.numbers[len(p.numbers)-1]
		if *next < 0 {
			return
		}
		if s, ok := value["value"]; ok {
			*next, _ = strconv.Atoi(s)
		}
		p.words.WriteString(" " + strconv.Itoa(*next) + " ")
		p.every.WriteString(" " + strconv.Itoa(*next) + " ")
		*next++
	}
}

// letters keeps the letters and digits of s.
func letters(s string) []rune {
	return slices.DeleteFunc([]rune(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// lost returns the first letter or digit of source, with what follows it, that
// does not appear in page after those before it.
func lost(source, page string) string {
	want := letters(source)
	for _, r := range letters(page) {
		if len(want) == 0 {
			return ""
		}
		if r == want[0] {
			want = want[1:]
		}
	}
	return string(want)
}

// badHref reports an address that is neither of the three schemes nor ours,
// read as a browser reads it.
func badHref(href string) bool {
	h := strings.TrimFunc(href, func(r rune) bool { return r <= ' ' })
	h = strings.NewReplacer("\t", "", "\n", "", "\r", "", "\\", "/").Replace(strings.ToLower(h))
	if strings.HasPrefix(h, "//") {
		return true
	}
	i := strings.IndexAny(h, ":/?#")
	return i >= 0 && h[i] == ':' && !slices.Contains([]string{"http", "https", "mailto"}, h[:i])
}

package incident

import "path"

// Collection is all that editors wrote, as read and checked. It is never
// changed once made.
type Collection struct {
	Dir        string // the folder of the seeds, as messages name it
	Site       Site
	Vocabulary *Vocabulary
	Cases      []*Case // ascending id
	Topics     []TopicText
	Articles   []Article   // in the order of their files
	Withdrawn  []Withdrawn // ascending id
	Figures    []Figure    // by name
}

// File is a file of the seeds as messages name it.
func (c *Collection) File(name string) string { return path.Join(c.Dir, name) }

// Site says what the library is called and where it is published.
type Site struct {
	Title       Text
	Tagline     Text   // one line below the title; may be zero
	Description Text   // one or two sentences for search engines and feeds; may be zero
	License     string // of the library's own texts; "" where nobody said
	BaseURL     string
	APIURL      string
	MCPURL      string
	Default     Lang
}

// TopicText is the prose of a topic page in one language, as Markdown.
type TopicText struct {
	Term TermRef
	Lang Lang
	File string
	Text string
}

// Article is a longer text: a how-to or an essay. Title, summary and body are
// there in one language at least; Title is where the article exists.
type Article struct {
	Slug      string
	Files     Text // the file of each language, for messages
	Title     Text
	Summary   Text
	Body      Text // Markdown, below the front matter
	Published Date
	Updated   Date // the zero Date where it was never changed

	LineEN, LineKO int // where the body begins in its file, from 1
}

// PublishedIn are the languages that an article is written in.
func (a *Article) PublishedIn() []Lang { return inBoth(a.Title, a.Summary) }

// Figure is the data of a picture in a text, which names it. What the data has
// to be is the figure package's to say.
type Figure struct {
	Name string
	File string
	Data []byte
}

// Figure is the figure of a name; nil when there is none.
func (c *Collection) Figure(name string) *Figure {
	for i := range c.Figures {
		if c.Figures[i].Name == name {
			return &c.Figures[i]
		}
	}
	return nil
}

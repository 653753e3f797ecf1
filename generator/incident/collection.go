package incident

import "path"

// Collection is all that editors wrote, as read and checked. It is never
// changed once made.
type Collection struct {
	Dir        string // the folder of the seeds, as messages name it
	Site       Site
	Vocabulary *Vocabulary
	Cases      []Case // ascending id
	Topics     []TopicText
	Withdrawn  []Withdrawn // ascending id
}

// File is a file of the seeds as messages name it.
func (c *Collection) File(name string) string { return path.Join(c.Dir, name) }

// Site says what the library is called and where it is published.
type Site struct {
	Title       Text
	Tagline     Text // one line below the title; may be zero
	Description Text // one or two sentences for search engines and feeds; may be zero
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

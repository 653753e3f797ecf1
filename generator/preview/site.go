package preview

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
	"sync"

	"benchlet.com/incidentlib/generator/output"
)

// site is one state of the library: the files that a build would write. It is
// never changed once made; files are rendered when they are first asked for.
type site struct {
	prefix string // the base path, "" or "/incidentlib/app"
	files  map[string]*rendered
}

// rendered is a file with its bytes, once somebody asked.
type rendered struct {
	file output.File
	once sync.Once
	body []byte
	sum  string // of body
	err  error
}

func newSite(prefix string, files []output.File) *site {
	s := &site{prefix: prefix, files: make(map[string]*rendered, len(files))}
	all := make([]rendered, len(files))
	for i, f := range files {
		all[i].file = f
		s.files[f.Path] = &all[i]
	}
	return s
}

func (r *rendered) bytes() ([]byte, error) {
	r.once.Do(func() {
		var b bytes.Buffer
		if r.err = r.file.Render(&b); r.err != nil {
			return
		}
		sum := sha256.Sum256(b.Bytes())
		r.body, r.sum = b.Bytes(), hex.EncodeToString(sum[:8])
	})
	return r.body, r.err
}

// answer is what an address of the site leads to: a file, or another address.
type answer struct {
	file     *rendered
	redirect string
	api      bool // the address is the API's: a missing one is answered in JSON
}

// find resolves the path of a request as a static host would that is configured
// as the published one: folders by their index, the API also without version
// and ".json" (MIRROR 2.3).
func (s *site) find(urlPath string) answer {
	rel, inside := strings.CutPrefix(urlPath, s.prefix+"/")
	if !inside {
		return answer{redirect: s.prefix + "/"}
	}
	if rel == "" || strings.HasSuffix(rel, "/") {
		return answer{file: s.files[rel+"index.html"]}
	}
	if f := s.files[rel]; f != nil {
		return answer{file: f}
	}
	if s.files[rel+"/index.html"] != nil {
		return answer{redirect: s.prefix + "/" + rel + "/"}
	}
	doc, api := strings.CutPrefix(rel, "api/")
	if !api {
		return answer{}
	}
	doc = strings.TrimPrefix(doc, "v1/")
	return answer{file: s.files["api/v1/"+doc+".json"], api: true}
}

// notFound is the page for an address that leads nowhere, in the language of
// the address.
func (s *site) notFound(urlPath string) *rendered {
	rel := strings.TrimPrefix(urlPath, s.prefix+"/")
	for dir := path.Dir("/" + rel); ; dir = path.Dir(dir) {
		if f := s.files[strings.TrimPrefix(path.Join(dir, "404.html"), "/")]; f != nil || dir == "/" {
			return f
		}
	}
}

// state of the page at an address: the digest of its bytes. A page that is gone
// has the digest of what is shown in its place.
func (s *site) digest(urlPath string) string {
	f := s.find(urlPath).file
	if f == nil {
		f = s.notFound(urlPath)
	}
	if f == nil {
		return ""
	}
	if _, err := f.bytes(); err != nil {
		return "error: " + err.Error()
	}
	return f.sum
}

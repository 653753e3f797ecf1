package address

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"path"
	"strings"
)

// SearchIndex is the file that a reader of the search index opens first, and
// the only one of it that changes: it names all others. Those are named by
// their content and may be kept for ever.
const SearchIndex = searchRoot + "index.json"

const searchRoot = "search/"

// IsSearchFile reports whether a path may be that of a file of the index: pages
// of the same folder are no JSON.
func IsSearchFile(file string) bool {
	return strings.HasPrefix(file, searchRoot) && path.Ext(file) == ".json"
}

// SearchFile is the output file of a name that the index holds.
func SearchFile(name string) string { return searchRoot + name }

// Search is the address of the index as a link of the site's own pages.
func (s Site) Search() string { return s.prefix + "/" + SearchIndex }

// SearchShard is the key of a shard of the index, made from its content. Of two
// shards that would have one key, the later one is given another salt.
func SearchShard(content []byte, salt int) string {
	if salt > 0 {
		content = fmt.Appendf(content[:len(content):len(content)], "%d", salt)
	}
	return digest(content, 8)
}

// SearchShardFile is the name of a shard from its key.
func SearchShardFile(key string) string { return "s/t/" + key + ".json" }

// SearchPart names the file of what there is once: the facet "org", the list
// of "terms".
func SearchPart(what string, content []byte) string {
	return "s/p/" + what + "-" + digest(content, 8) + ".json"
}

// SearchDocs names a run of the cases that results show, in one language, by
// the key that the language's list holds; [SearchDocsFile] is its file.
func SearchDocs(content []byte) string { return digest(content, 6) }

// SearchDocsFile is the name of a run of cases from its number and its key.
func SearchDocsFile(lang string, number uint32, key string) string {
	return fmt.Sprintf("s/m/%s/%d-%s.json", lang, number, key)
}

// digest is a short hash of 5 bits a character, in characters that no file
// system folds.
func digest(content []byte, characters int) string {
	sum := sha256.Sum256(content)
	return base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").EncodeToString(sum[:5])[:characters]
}

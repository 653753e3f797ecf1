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

// SearchShard is the key of a shard of the index, made from the SHA-256 of its
// content, or the beginning of that. Of two shards that would have one key, the
// later one is given another salt.
func SearchShard(sum []byte, salt int) string {
	if salt > 0 {
		salted := sha256.Sum256(fmt.Appendf(sum[:len(sum):len(sum)], "%d", salt))
		sum = salted[:]
	}
	return short(sum, 8)
}

// SearchShardFile is the name of a shard from its key.
func SearchShardFile(key string) string { return "s/t/" + key + ".json" }

// SearchPart names the file of what there is once: the facet "org", the list
// of "terms".
func SearchPart(what string, content []byte) string {
	return "s/p/" + what + "-" + digest(content, 8) + ".json"
}

// SearchDocs names a run of the cases that results show, in one language, by
// the key that the language's list holds, made from the SHA-256 of its content;
// [SearchDocsFile] is its file.
func SearchDocs(sum []byte) string { return short(sum, 6) }

// SearchDocsFile is the name of a run of cases from its number and its key.
func SearchDocsFile(lang string, number uint32, key string) string {
	return fmt.Sprintf("s/m/%s/%d-%s.json", lang, number, key)
}

func digest(content []byte, characters int) string {
	sum := sha256.Sum256(content)
	return short(sum[:], characters)
}

// short is the beginning of a hash of 5 bits a character, in characters that no
// file system folds.
func short(sum []byte, characters int) string {
	return base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").EncodeToString(sum[:5])[:characters]
}

package address

import "fmt"

// SearchIndex is the file that a reader of the search index opens first, and
// the only one of it that changes.
const SearchIndex = "search/index.json"

// SearchFile is the output file of a name that the index holds.
func SearchFile(name string) string { return "search/" + name }

// SearchDocsFile is the name of a run of cases from its number and its key.
func SearchDocsFile(lang string, number uint32, key string) string {
	return fmt.Sprintf("s/m/%s/%d-%s.json", lang, number, key)
}

package incident

import (
	"crypto/sha256"
	"encoding/hex"
)

// Sum is the SHA-256 of a case's document as it is published: its JSON and one
// line end.
type Sum [sha256.Size]byte

// SumOf is the sum of the document of a case's JSON.
func SumOf(json []byte) (s Sum) {
	h := sha256.New()
	h.Write(json)
	h.Write([]byte{'\n'})
	h.Sum(s[:0])
	return s
}

// SumOfAll is the sum of the documents of cases, in their order.
func SumOfAll(cases []*Case) (s Sum) {
	h := sha256.New()
	for _, c := range cases {
		h.Write(c.Sum[:])
	}
	h.Sum(s[:0])
	return s
}

// Short is the first 16 hexadecimal digits, which tell the documents of one case
// apart.
func (s Sum) Short() string { return hex.EncodeToString(s[:8]) }

package address

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"benchlet.com/incidentlib/generator/incident"
)

// AssetFile is the output file of an asset: its name carries a hash of its
// content, so that it can be cached for ever.
func AssetFile(name string, content []byte) string {
	sum := sha256.Sum256(content)
	ext := path.Ext(name)
	return "assets/" + strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:5]) + ext
}

// Chart is the output file of a picture that pages of a language show and that
// changes on its own, so that they need not: its name stays.
func (s Site) Chart(l incident.Lang, name string) string {
	return s.lang(l) + "charts/" + name + ".svg"
}

// Asset is the address of an asset's or a chart's file as a link of the site's own pages.
func (s Site) Asset(file string) string { return s.prefix + "/" + file }

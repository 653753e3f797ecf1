package seed

import (
	"path"

	"benchlet.com/incidentlib/generator/incident"
)

// readFigures reads figures/NAME.json as bytes: programs write them, and the
// figure package alone knows what is in them.
func (r *reader) readFigures() []incident.Figure {
	var out []incident.Figure
	for _, name := range r.walk("figures", func(n string) bool { return path.Ext(n) == ".json" }) {
		if path.Dir(name) != "figures" || !incident.ValidSlug(stem(name)) {
			r.report(name, "the file's name does not say which figure it is", "name it figures/NAME.json, as in figures/retry-storm.json")
			continue
		}
		if src := r.read(name, maxTopic); src != nil {
			out = append(out, incident.Figure{Name: stem(name), File: r.shown(name), Data: src})
		}
	}
	return out
}

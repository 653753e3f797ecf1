package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"os/user"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/text/unicode/norm"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/seed"
)

// newFlags are the flags of new.
type newFlags struct{ seeds, org, orgSlug, date, id string }

func newNew() *cobra.Command {
	var f newFlags
	c := &cobra.Command{
		Use:   "new",
		Short: "Begin a case: a file with every field, under the next free id",
		Long: `new writes seeds/cases/ID.json with every field in its place, and prints its path.
What is not known is null, "unknown" or []; then check lists, by line and
column, what is still to be written.

The id is the highest one plus 1, counting withdrawn cases: no id is ever used
twice. A file that is there is never overwritten. The organisation's slug is that
of its other cases; for a new one it is made of the letters and digits of the
name, or given with --org-slug. The author is git's user.name, or the user of
this computer.`,
		Example: `  incidentlib new --org Cloudflare --date 2026-11-18
  incidentlib new --org 당근 --org-slug karrot`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return begin(c, f) },
	}
	seedsFlag(c, &f.seeds)
	fl := c.Flags()
	fl.StringVar(&f.org, "org", "", "the organisation's name")
	fl.StringVar(&f.orgSlug, "org-slug", "", "its slug, where the name gives none")
	fl.StringVar(&f.date, "date", "", "when it happened: YYYY-MM-DD, YYYY-MM or YYYY (default today, in UTC)")
	fl.StringVar(&f.id, "id", "", "its id (default the next one that is free)")
	return c
}

// begin is new; a builtin has that name.
func begin(c *cobra.Command, f newFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	root, err := openRoot(f.seeds)
	if err != nil {
		return err
	}
	defer root.Close()
	taken, problems := seed.ReadTaken(root.FS(), f.seeds, runtime.GOMAXPROCS(0))
	if len(problems) > 0 {
		printProblems(c.ErrOrStderr(), problems)
		return failed(fmt.Errorf("%s; nothing was written", countProblems(problems)))
	}
	now := time.Now().UTC()
	draft := seed.Draft{Date: cmp.Or(f.date, now.Format(time.DateOnly)), UpdatedAt: now.Format(time.RFC3339), WrittenBy: author(c.Context(), f.seeds)}
	if draft.Org, draft.OrgSlug, err = organisation(f.org, f.orgSlug, taken.Orgs); err != nil {
		return err
	}
	name, err := writeCase(root, draft, f.id, taken)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.OutOrStdout(), path.Join(f.seeds, name))
	fmt.Fprintln(c.ErrOrStderr(), `Write it, then run "incidentlib check": it lists what is missing, by line and column.`)
	return nil
}

// check holds what can be said of the flags without the seeds.
func (f newFlags) check() error {
	if f.id != "" && !incident.ValidID(f.id) {
		return fmt.Errorf(`--id: %q is no id; write one such as "IL-0123"`, f.id)
	}
	if f.date != "" {
		if _, err := incident.ParseDate(f.date); err != nil {
			return fmt.Errorf(`--date: %w; write a date such as "2023-11-08", "2023-11" or "2023"`, err)
		}
	}
	if f.orgSlug != "" && !incident.ValidSlug(f.orgSlug) {
		return fmt.Errorf(`--org-slug: %q is no slug; write lower-case letters, digits and single hyphens, as in "google-cloud"`, f.orgSlug)
	}
	return nil
}

// organisation settles the name and the slug of a case's organisation, so that
// they agree with those of the other cases: slug → name.
func organisation(name, slug string, known map[string]string) (string, string, error) {
	if name == "" {
		return known[slug], slug, nil
	}
	for _, s := range slices.Sorted(maps.Keys(known)) {
		if norm.NFC.String(known[s]) != norm.NFC.String(name) {
			continue
		}
		if slug != "" && slug != s {
			return "", "", fmt.Errorf("--org-slug: %s has the slug %s in other cases; leave the flag out", name, s)
		}
		return known[s], s, nil
	}
	if slug = cmp.Or(slug, slugOf(name)); !incident.ValidSlug(slug) {
		return "", "", fmt.Errorf("--org: %q gives no slug, which has ASCII letters and digits only; choose one with --org-slug", name)
	}
	if other, taken := known[slug]; taken {
		return "", "", fmt.Errorf("--org: the slug %s is that of %s; write --org %q if it is the same organisation, else choose a slug with --org-slug", slug, other, other)
	}
	return name, slug, nil
}

// slugOf makes a slug of the ASCII letters and digits of a name: "Let's Encrypt"
// is lets-encrypt, "NU.nl" is nu-nl and "Société Générale" societe-generale.
// It is "" for a name that has none.
func slugOf(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(norm.NFKD.String(name)) {
		switch {
		case r == '\'' || r == '’' || unicode.Is(unicode.Mn, r): // they part no words
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		default:
			gap = true
		}
	}
	return b.String()
}

// writeCase writes the draft under the id that was asked for, or the next one
// that is free, and returns the file's name in the seeds. When somebody else
// takes that id at the same moment, it takes the one after.
func writeCase(root *os.Root, d seed.Draft, asked string, taken seed.Taken) (string, error) {
	site, err := address.NewSite(taken.Site.BaseURL, "", "", taken.Site.Default)
	if err != nil {
		return "", failed(err)
	}
	if slices.Contains(taken.IDs, asked) {
		return "", failed(fmt.Errorf("the id %s is taken, and no id is used twice; leave --id out for the next one that is free", asked))
	}
	for n := highest(taken.IDs) + 1; ; n++ {
		d.ID = cmp.Or(asked, fmt.Sprintf("IL-%04d", n))
		if !incident.ValidID(d.ID) {
			return "", failed(errors.New("no id is left after the highest one; choose one with --id"))
		}
		d.URL = site.Root(strings.TrimSuffix(string(address.Case(d.ID)), "/"))
		text, problems := d.Case()
		if len(problems) > 0 {
			return "", fmt.Errorf("%s: %s; %s", strings.TrimPrefix(problems[0].Pointer, "/"), problems[0].What, problems[0].Remedy)
		}
		name := "cases/" + d.ID + ".json"
		err := create(root, name, text)
		if errors.Is(err, fs.ErrExist) && asked == "" {
			continue
		}
		if err != nil {
			return "", failed(fmt.Errorf("the case was not written: %w", err))
		}
		return name, nil
	}
}

// create writes a file that is not there yet.
func create(root *os.Root, name string, text []byte) error {
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, root.Remove(name)) // half a case helps nobody
	}
	return nil
}

// highest is the highest number of any id.
func highest(ids []string) int {
	top := 0
	for _, id := range ids {
		n, _ := strconv.Atoi(strings.TrimPrefix(id, "IL-"))
		top = max(top, n)
	}
	return top
}

// author is who writes, as git knows them in the folder of the seeds, or as the
// computer does; "" when neither does.
func author(ctx context.Context, dir string) string {
	out, err := exec.CommandContext(ctx, "git", "-C", dir, "config", "user.name").Output()
	if name := strings.TrimSpace(string(out)); err == nil && name != "" {
		return name
	}
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return cmp.Or(strings.TrimSpace(u.Name), u.Username)
}

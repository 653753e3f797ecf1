// Package upload publishes a built folder to a store of objects: S3 and what
// speaks as it does, Google Cloud Storage, Azure, or another folder.
//
// It sends what changed since the manifest (output.ManifestName) that the last
// publish left in the store, and touches no object that no manifest of ours lists.
// Its order is one in which a reader never meets a page that names what is not
// there: new assets, data, pages, deletions, and the manifest last. Assets that
// the new build does not have stay until the build after it, for pages that
// readers have open.
//
// # Ended, and begun again
//
// Before the first change a journal (JournalName) is put beside the manifest: what
// is going to be touched. Whoever comes next, with the same build or another, finds
// it and asks the store about each object that it lists, by digest, instead of
// believing the manifest: what is there already is not sent again.
//
// Without a manifest, or with a damaged one, the store is listed and asked instead,
// and nothing is deleted but what the journal and the kept assets name.
//
// # Two at once
//
// The journal carries a word that no other run has. Each run looks at it, and at the
// manifest, before every batch of changes; one that finds another's stops with
// ErrBusy, so the run that began last is the one that goes on. Where the store can
// write on condition that nothing is there, the first of two that begin at one time
// stops the second. What was under way at that instant may still arrive, at most
// batchSize objects: a run with Options.Check finds such objects and mends them.
package upload

// Package output turns a list of files into a folder on disk: all of them, or
// nothing.
//
// Digest renders files to nowhere and says what they are. Publish renders
// them, compares each with what the folder holds, and puts only the changed
// ones in place. It owns three things and nothing else:
//
//   - in the folder, the files that the manifest (ManifestName) lists, and the
//     assets of the build before (RetainedName). Anything else in the folder,
//     at any depth, is foreign: a .git, a CNAME, a symbolic link in place of
//     one of our files. Foreign entries keep their bytes, mode and times, and
//     a foreign entry in the way of a file of ours is an error before
//     anything changes.
//   - beside the folder, the work folder ".NAME.incidentlib", which holds the
//     staging tree, the lock, and the notes by which a later run finishes what
//     a killed one began. It is gone when Publish returns, unless the work on
//     the folder itself could not be finished, or a spare tree is kept.
//   - in place only, where the folder is a mount point or its parent cannot be
//     written: the work folder is the folder's own ".incidentlib-work".
//
// # How a build is published
//
// By default a whole new tree is built in staging, of changed files and of
// hard links to everything else, and exchanged with the folder by one system
// call; then the old tree is drained: what is ours or is also in the new tree
// goes, and what somebody put there meanwhile is moved over. A reader, or a
// kill at any instant, meets the old site or the new one. The folder is
// another directory afterwards: a shell or a server that sits in the old one
// has to enter it again.
//
// With Options.Spare the old tree is kept, if little is only in it, and is the spare
// tree of the next build, which changes what differs in it instead of linking and
// removing every file. What is foreign was moved out of it; nothing else in it is
// believed, as a file counts only if it is the one that the site has. What somebody
// puts into it later, from a shell that still sits in the old folder, is moved to the
// site by the next build; but while that build is at work in the tree, who sits there
// sees it changing, and what he writes is lost if the build then fails. So it is for
// folders that nobody sits in. It can be removed at any time, and goes by itself when
// a build is in place or keeps none.
//
// With Options.InPlace only the changed files are touched, each by one rename,
// new assets first, then data and pages, deletions last. A journal, written
// when everything is staged, says what is to be done; whoever comes next
// completes it. A file that becomes a folder, or the reverse, is the one case
// in which something is deleted early.
//
// Files that did not change keep their inode and modification time, and a
// build that changes nothing touches nothing. Publishing is safe against a
// killed process, not against loss of power: no file is synced, as that would
// cost more than the build.
//
// # Assets
//
// Pages that a reader has open refer to the assets of the build they came
// from. An asset that a build drops therefore stays in the folder until the
// next build with another id. A build with the id of the one before (a repair,
// or nothing at all) does not count.
package output

package upload

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// errNone is the error of a store that has no such object; errThere that of one
// that has it, where it should not.
var (
	errNone  = errors.New("there is no such object")
	errThere = errors.New("there is such an object already")
)

// object is what a store says of an object without reading it.
type object struct {
	size   int64
	md5    []byte // nil where the store does not say
	sha256 string // in hexadecimal, as we wrote it; "" where it does not say
}

// headers are what a store keeps with an object and sends with it.
type headers struct {
	media, cache string
	onlyNew      bool // fail with errThere where there is one
}

// store is what is wanted of a store.
type store interface {
	read(ctx context.Context, name string) ([]byte, error)
	write(ctx context.Context, name string, data []byte, h headers) error
	remove(ctx context.Context, name string) error // none there is no error
	stat(ctx context.Context, name string) (object, error)
	list(ctx context.Context, prefix string, each func(name string, o object)) error
}

// digestKey is the metadata in which an object carries its SHA-256: not every
// store has a digest of every object.
const digestKey = "sha256"

// bucket is a store of the library that speaks to them all. Its clients try again
// by themselves what fails in passing.
type bucket struct{ *blob.Bucket }

func (b bucket) read(ctx context.Context, name string) ([]byte, error) {
	data, err := b.ReadAll(ctx, name)
	return data, say(err, name)
}

func (b bucket) write(ctx context.Context, name string, data []byte, h headers) error {
	sum, check := sha256.Sum256(data), md5.Sum(data)
	err := b.WriteAll(ctx, name, data, &blob.WriterOptions{
		ContentType:                 h.media,
		CacheControl:                h.cache,
		ContentMD5:                  check[:],
		Metadata:                    map[string]string{digestKey: hex.EncodeToString(sum[:])},
		DisableContentTypeDetection: true,
		IfNotExist:                  h.onlyNew,
	})
	return say(err, name)
}

func (b bucket) remove(ctx context.Context, name string) error {
	if err := say(b.Delete(ctx, name), name); !errors.Is(err, errNone) {
		return err
	}
	return nil
}

func (b bucket) stat(ctx context.Context, name string) (object, error) {
	a, err := b.Attributes(ctx, name)
	if err != nil {
		return object{}, say(err, name)
	}
	return object{a.Size, a.MD5, a.Metadata[digestKey]}, nil
}

func (b bucket) list(ctx context.Context, prefix string, each func(string, object)) error {
	for i := b.List(&blob.ListOptions{Prefix: prefix}); ; {
		o, err := i.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("list what is there: %w", err)
		}
		each(o.Key, object{size: o.Size, md5: o.MD5})
	}
}

// say names the object of an error, and makes the errors of all stores ours.
func say(err error, name string) error {
	switch gcerrors.Code(err) {
	case gcerrors.OK:
		return nil
	case gcerrors.NotFound:
		return fmt.Errorf("%s: %w", name, errNone)
	case gcerrors.FailedPrecondition, gcerrors.AlreadyExists:
		return fmt.Errorf("%s: %w", name, errThere)
	case gcerrors.PermissionDenied:
		return fmt.Errorf("%s: the store does not permit it; say who writes in the environment, as for the store's own tools: %w", name, err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// is reports whether an object has this content, as far as what is said of it
// tells; known is false where that tells nothing.
func (o object) is(data []byte) (same, known bool) {
	sum, check := sha256.Sum256(data), md5.Sum(data)
	switch {
	case o.size != int64(len(data)):
		return false, true
	case o.sha256 != "":
		return o.sha256 == hex.EncodeToString(sum[:]), true
	case o.md5 != nil:
		return bytes.Equal(o.md5, check[:]), true
	}
	return false, false
}

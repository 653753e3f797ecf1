package upload

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // azblob://
	_ "gocloud.dev/blob/fileblob"  // file://
	_ "gocloud.dev/blob/gcsblob"   // gs://
	_ "gocloud.dev/blob/s3blob"    // s3://
)

// Open opens the store that an address names: "s3://BUCKET", "gs://BUCKET",
// "azblob://CONTAINER", "file:///FOLDER", or a folder's plain path. A path behind
// a bucket is where in it the site lies. What else a store wants to be told, such
// as a region or an endpoint, stands in the query; who may write, in the
// environment, as the store's own tools have it.
func Open(ctx context.Context, dest string) (*blob.Bucket, error) {
	at, err := address(dest)
	if err != nil {
		return nil, err
	}
	b, err := blob.OpenBucket(ctx, at)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened: %w", dest, err)
	}
	return b, nil
}

// Folder is the folder that an address names, or "".
func Folder(dest string) string {
	if !strings.Contains(dest, "://") {
		return dest
	}
	u, err := url.Parse(dest)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	return filepath.FromSlash(u.Path)
}

var errNowhere = errors.New("where to publish to is not said; write an address such as s3://BUCKET?region=REGION, gs://BUCKET, azblob://CONTAINER or file:///FOLDER")

// address is the address as the library takes it.
func address(dest string) (string, error) {
	if dest == "" {
		return "", errNowhere
	}
	if !strings.Contains(dest, "://") {
		abs, err := filepath.Abs(dest)
		if err != nil {
			return "", err
		}
		dest = (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}).String()
	}
	u, err := url.Parse(dest)
	if err != nil {
		return "", err
	}
	q := u.Query()
	switch u.Scheme {
	case "file":
		// A folder has no headers to keep beside its files, and what is not whole
		// yet stands beside its place, on the same file system.
		preset(q, "create_dir", "true")
		preset(q, "no_tmp_dir", "true")
		preset(q, "metadata", "skip")
	case "s3", "gs", "azblob":
		if u.Host == "" {
			return "", fmt.Errorf("%s names no bucket; write %s://BUCKET", dest, u.Scheme)
		}
		if inside := strings.Trim(u.Path, "/"); inside != "" {
			if q.Has("prefix") {
				return "", fmt.Errorf("%s says twice where in the bucket the site lies; leave out its path or its prefix", dest)
			}
			q.Set("prefix", inside+"/")
		}
		u.Path = ""
		if u.Scheme == "s3" && q.Has("endpoint") {
			// Few stores but Amazon's know the checksums that its library adds unasked.
			preset(q, "request_checksum_calculation", "when_required")
			preset(q, "response_checksum_validation", "when_required")
		}
	default:
		return "", fmt.Errorf("%s: no store is known by %q; %w", dest, u.Scheme+"://", errNowhere)
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

func preset(q url.Values, key, value string) {
	if !q.Has(key) {
		q.Set(key, value)
	}
}

//go:build !linux && !darwin

package output

import "errors"

// canSwap says whether exchange exists at all on this system.
const canSwap = false

func exchange(a, b string) error { return errors.ErrUnsupported }

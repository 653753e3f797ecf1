package main

import (
	"errors"
	"fmt"
	"io"

	"benchlet.com/incidentlib/generator/host"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/shard"
)

// part is what --shard says.
func (f buildFlags) part() (shard.Part, error) {
	if f.shard == "" {
		return shard.Part{}, nil
	}
	p, err := shard.Parse(f.shard)
	if err != nil {
		return p, fmt.Errorf("--shard: %w", err)
	}
	if f.apiRoot != "" {
		return p, errors.New("--api-root is not cut into shards; fill that folder with a build without --shard")
	}
	return p, nil
}

// noteShard sets what the folder of a shard says of itself. Shards whose seeds
// cannot be told from others could not be joined.
func (f buildFlags) noteShard(in *inputs, part shard.Part, opt *output.Options) error {
	if part == (shard.Part{}) {
		return nil
	}
	if in.print == nil {
		return failed(errors.New("what the shard is made from cannot be told: the seeds changed while they were read, hold something that is no file, " +
			"or this program cannot read itself; build it again from seeds that stay as they are"))
	}
	seeds, whole := in.print.Key("", ""), f
	whole.shard = ""
	opt.Note = shard.Note{Part: part, Seeds: fmt.Sprintf("%x", seeds[:]), Program: in.program, Settings: whole.settings()}.Text()
	return nil
}

// warnWhole warns of a whole build; a shard's numbers say nothing of the site's.
func warnWhole(to io.Writer, part shard.Part, rules host.Rules, hosts []host.Name, r output.Result) {
	if part.IsWhole() {
		warn(to, rules, hosts, r)
	}
}

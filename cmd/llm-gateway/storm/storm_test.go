package storm

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the vectors anew")

type vector struct {
	Params Params `json:"params"`
	Result Result `json:"result"`
}

// vectorParams reach every branch of the model: each remedy alone and with the
// others, no failure and nothing but failures, hardly any load and too much.
func vectorParams() []Params {
	var out []Params
	for _, name := range Names() {
		out = append(out, Default().With(name))
	}
	return append(out,
		Params{Seed: 1, Clients: 5, Capacity: 10, FailRate: 0, Attempts: 1},
		Params{Seed: 1<<32 - 1, Clients: 2000, Capacity: 10, FailRate: 1000, Attempts: 8, Jitter: true},
		Params{Seed: 7, Clients: 1999, Capacity: 333, FailRate: 555, Attempts: 5, Budget: true, Idempotency: true},
		Params{Seed: 12345, Clients: 777, Capacity: 10_000, FailRate: 900, Attempts: 2, Breaker: true},
		Params{Seed: 2, Clients: 1200, Capacity: 300, FailRate: 450, Attempts: 4, Jitter: true, Breaker: true, Idempotency: true},
		Params{Seed: 2, Clients: 1000, Capacity: 270, FailRate: 300, Attempts: 3, Jitter: true, Budget: true, Idempotency: true},
	)
}

// The vectors that the model in the browser is compared with are this model's.
// Written with: go test ./cmd/llm-gateway/storm -update
func TestVectors(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	b.WriteString("[")
	for i, p := range vectorParams() {
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(vector{p, Run(p)})
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n")
		b.Write(line)
	}
	b.WriteString("\n]\n")
	const file = "testdata/vectors.json"
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("%s is not what the model gives; if it was meant to change, write it with -update", file)
	}
}

// What the article says of the hour is what the model gives.
func TestTheArticlesClaims(t *testing.T) {
	t.Parallel()
	got := map[string]Result{}
	for _, name := range Names() {
		got[name] = Run(Default().With(name))
	}
	for _, name := range Names() {
		if got[name].Total.Messages != 720_000 {
			t.Errorf("%s: %d messages", name, got[name].Total.Messages)
		}
	}
	if got["none"].Recovery != -1 || got["jitter"].Recovery != -1 {
		t.Error("the storm ends by itself, or by jitter")
	}
	for _, name := range []string{"budget", "breaker", "idempotency", "all"} {
		if r := got[name].Recovery; r < 0 || r > 60 {
			t.Errorf("%s: the failures end after %d s", name, r)
		}
	}
	if got["budget"].BudgetBurnt() > 150 || got["breaker"].BudgetBurnt() < 1000 {
		t.Error("a budget spares the users, a breaker does not")
	}
	without := Default().With("all")
	without.Breaker = false
	if all, three := got["all"].BudgetBurnt(), Run(without).BudgetBurnt(); three*3 > all {
		t.Errorf("all four burn %d, without the breaker %d", all, three)
	}
}

// Nothing is lost: each message is answered or shown as a failure, and each
// failure is of a request.
func TestAccounts(t *testing.T) {
	t.Parallel()
	for _, p := range vectorParams()[9:] { // the others take longer and add nothing
		r := Run(p)
		for i, m := range r.Minutes {
			if m.Failures > m.Requests+p.Clients || m.Messages > m.Requests || m.Calls > (m.Requests+p.Clients)*p.Attempts {
				t.Errorf("%+v: minute %d is %+v", p, i, m)
			}
		}
		if r.Total.Requests > r.Total.Messages+r.Total.Failures || r.Total.Failures > r.Total.Requests {
			t.Errorf("%+v: %+v", p, r.Total)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, change := range []func(*Params){
		func(p *Params) { p.Seed = 0 }, func(p *Params) { p.Clients = 4 }, func(p *Params) { p.Clients = 2001 },
		func(p *Params) { p.Capacity = 0 }, func(p *Params) { p.FailRate = 1001 }, func(p *Params) { p.FailRate = -1 }, func(p *Params) { p.Attempts = 0 },
	} {
		p := Default()
		change(&p)
		if p.Check() == nil {
			t.Errorf("%+v is taken", p)
		}
	}
}

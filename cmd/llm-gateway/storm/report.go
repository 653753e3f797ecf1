package storm

// Report is the hour without any remedy, with each one, and with all: what the
// table, the data file and the pictures are made from.
type Report struct {
	Seed              uint32    `json:"seed"`
	Clients           int       `json:"clients"`
	SecondsPerMessage int       `json:"secondsPerMessage"`
	Capacity          int       `json:"capacity"`
	FailRate          int       `json:"failRatePerMille"`
	Attempts          int       `json:"attempts"`
	DegradedFrom      int       `json:"degradedFromMinute"`
	DegradedMinutes   int       `json:"degradedMinutes"`
	Variants          []Variant `json:"variants"`
}

// Variant is the hour with some remedies. Recovery is null where the failures
// outlive the hour.
type Variant struct {
	Name          string `json:"name"`
	Messages      int    `json:"messages"`
	Requests      int    `json:"requests"`
	Calls         int    `json:"calls"`
	Failures      int    `json:"failures"`
	Amplification int    `json:"amplificationPerMille"`
	BudgetBurnt   int    `json:"budgetBurntPerMille"`
	Recovery      *int   `json:"recoverySeconds"`
	Peak          int    `json:"peakCallsPer100ms"`
	CallsBy       []int  `json:"callsByMinute"`
	FailuresBy    []int  `json:"failuresByMinute"`
}

// Names are the variants in their order.
func Names() []string {
	return []string{"none", "jitter", "budget", "breaker", "idempotency", "all"}
}

// With are the parameters with the remedies of a variant.
func (p Params) With(name string) Params {
	all := name == "all"
	p.Jitter = all || name == "jitter"
	p.Budget = all || name == "budget"
	p.Breaker = all || name == "breaker"
	p.Idempotency = all || name == "idempotency"
	return p
}

// NewReport runs every variant. The remedies of p count for nothing.
func NewReport(p Params) Report {
	r := Report{Seed: p.Seed, Clients: p.Clients, SecondsPerMessage: SecondsPerMessage, Capacity: p.Capacity,
		FailRate: p.FailRate, Attempts: p.Attempts, DegradedFrom: DegradedFrom, DegradedMinutes: DegradedMinutes}
	for _, name := range Names() {
		r.Variants = append(r.Variants, newVariant(name, Run(p.With(name))))
	}
	return r
}

func newVariant(name string, r Result) Variant {
	v := Variant{Name: name, Messages: r.Total.Messages, Requests: r.Total.Requests, Calls: r.Total.Calls, Failures: r.Total.Failures,
		Amplification: r.Amplification(), BudgetBurnt: r.BudgetBurnt(), Peak: r.Peak}
	if r.Recovery >= 0 {
		v.Recovery = &r.Recovery
	}
	for _, m := range r.Minutes {
		v.CallsBy = append(v.CallsBy, m.Calls)
		v.FailuresBy = append(v.FailuresBy, m.Failures)
	}
	return v
}

package main

import (
	"slices"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// Where a state may go from each; staying is always legal.
var steps = map[string][]string{
	"Off":        {"TurningOn"},
	"TurningOn":  {"On", "TurningOff"},
	"On":         {"TurningOff"},
	"TurningOff": {"Off", "TurningOn"},
}

func checkFeature(req *admission.Request, feature, old *Feature, f *findings) {
	if req.Operation == admissionv1.Delete {
		return
	}
	status := &feature.Status
	checkEnums(status, f)
	if status.Class != "" && status.Class != feature.Namespace || status.Name != "" && status.Name != feature.Name {
		f.warn("status: class and name should be those of the object")
	}
	if req.SubResource != "status" || len(f.denials) > 0 {
		return
	}
	checkServerFlow(req, feature, old, f)
	checkLife(&old.Status, status, f)
}

func checkEnums(status *FeatureStatus, f *findings) {
	one := func(field, value string, allowed ...string) {
		if value != "" && !slices.Contains(allowed, value) {
			f.deny("status.%s: must be one of %v, got %q", field, allowed, value)
		}
	}
	one("state", status.State, "Off", "TurningOn", "On", "TurningOff")
	one("default", status.Default, "Enabled", "Disabled")
	one("source", status.Source, "Default", "CommandLine", "Dynamic")
	one("stability", status.Stability, "Unavailable", "Alpha", "Beta", "GA", "Deprecated", "Universal")
	seen := map[[2]string]bool{}
	for _, use := range status.Uses {
		one("uses.enabled", use.Enabled, "Enabled", "Disabled")
		key := [2]string{use.Version, use.Enabled}
		if seen[key] {
			f.deny("status.uses: %v stands there twice", key)
		}
		seen[key] = true
	}
}

func checkServerFlow(req *admission.Request, feature, old *Feature, f *findings) {
	if feature.Namespace != "kube-system" || req.UserInfo.Username == featureManager {
		return
	}
	a, b := &old.Status, &feature.Status
	same := a.State == b.State && a.Version == b.Version && a.Default == b.Default && a.Source == b.Source &&
		a.Stability == b.Stability && slices.Equal(a.TransitionTasks, b.TransitionTasks)
	if !same {
		f.deny("status: only the server flow writes other than uses, not %q", req.UserInfo.Username)
	}
	for _, use := range a.Uses {
		if !slices.ContainsFunc(b.Uses, func(now Use) bool { return now.Version == use.Version && now.Enabled == use.Enabled }) {
			f.deny("status.uses: a client removes none, and %q goes", use.Version)
		}
	}
}

func checkLife(old, now *FeatureStatus, f *findings) {
	if old.State != "" && old.State != now.State && !slices.Contains(steps[old.State], now.State) {
		f.deny("status.state: cannot go from %s to %s", old.State, now.State)
		return
	}
	turning := now.State == "TurningOn" || now.State == "TurningOff"
	switch {
	case turning && old.State != now.State:
		if n := len(now.TransitionTasks); n == 0 || slices.Index(now.TransitionTasks, wait) != n-1 {
			f.deny("status.transitionTasks: must end in %s", wait)
		}
	case turning:
		checkOrder(old, now, f)
	case len(now.TransitionTasks) > 0 || old.State != now.State && len(old.TransitionTasks) > 1:
		f.deny("status.transitionTasks: are not done")
	case old.State != "" && old.State != now.State:
		checkCompletion(old, now, f)
	}
}

func checkOrder(old, now *FeatureStatus, f *findings) {
	before, after := old.TransitionTasks, now.TransitionTasks
	if slices.Equal(before, after) || len(before) > 0 && slices.Equal(before[1:], after) {
		return
	}
	if now.Version == old.Version {
		f.deny("status.transitionTasks: the list stays or loses its first task")
	}
}

func checkCompletion(old, now *FeatureStatus, f *findings) {
	stale := "Enabled"
	if old.State == "TurningOn" {
		stale = "Disabled"
	}
	for _, use := range slices.Concat(now.Uses, old.Uses) {
		if use.Enabled == stale {
			f.deny("status.uses: %q still reports %s", use.Version, stale)
			return
		}
	}
	if due := old.UseEvaluationTime; due == nil {
		f.warn("status.useEvaluationTime: nobody waited for uses")
	} else if time.Now().Add(5 * time.Second).Before(due.Time) {
		f.deny("status.useEvaluationTime: is not due before %s", due)
	}
}

package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// findings of one request: what refuses it, and what is only warned of.
type findings struct {
	denials, warnings []string
}

func (f *findings) deny(format string, args ...any) {
	f.denials = append(f.denials, fmt.Sprintf(format, args...))
}

func (f *findings) warn(format string, args ...any) {
	f.warnings = append(f.warnings, fmt.Sprintf(format, args...))
}

const (
	membership = "clusterset.k8s.io"
	label      = "x-k8s.io/cluster-manager"
	wait       = "WaitForUses"
)

// What the benchmark's configuration of muster names.
const (
	membershipManager = "system:serviceaccount:fleet:mcs-controller"
	depot             = "system:serviceaccount:fleet:depot"
	featureManager    = "system:serviceaccount:kube-system:feature-manager"
)

var (
	version       = regexp.MustCompile(`^v?\d{1,9}(\.\d{1,9})+([-+~][0-9A-Za-z.+~_-]*)?$`)
	reason        = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`)
	conditionType = regexp.MustCompile(`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`)
)

func isID(claim *Claim) bool {
	return claim.Name == "id.k8s.io" || claim.Kind == "ClusterProperty" && claim.Name == "cluster."+membership
}

func checkClaim(req *admission.Request, claim, old *Claim, f *findings) {
	name := claim.Name
	if req.Operation == admissionv1.Delete {
		if isID(claim) {
			f.warn("the id must exist for the lifespan of a cluster, and %q goes", name)
		}
		return
	}
	if len([]rune(claim.Spec.Value)) > 128000 {
		f.deny("spec.value: is longer than 128000 characters")
	}
	if req.Operation == admissionv1.Create {
		reserved := strings.HasSuffix(name, ".k8s.io") || strings.HasSuffix(name, ".kubernetes.io")
		if reserved && !isID(claim) && name != membership {
			f.deny("metadata.name: %q is reserved; use a domain of your own", name)
		}
		if !strings.Contains(name, ".") {
			f.warn("metadata.name: should carry a domain, got %q", name)
		}
	}
	if isID(claim) {
		check := validation.IsDNS1123Label
		if claim.Kind == "ClusterProperty" {
			check = validation.IsDNS1123Subdomain
		}
		for _, problem := range check(claim.Spec.Value) {
			f.deny("spec.value: %s, got %q", problem, claim.Spec.Value)
		}
	}
	if name == membership {
		checkMembership(req, claim, old, f)
	}
}

func checkMembership(req *admission.Request, claim, old *Claim, f *findings) {
	if claim.Spec.Value == "" {
		f.deny("spec.value: must name a ClusterSet")
	}
	changed := req.Operation != admissionv1.Update || old.Spec.Value != claim.Spec.Value
	if req.Operation == admissionv1.Update && changed {
		f.deny("spec.value: never changes; leave and join instead")
	}
	if changed && req.UserInfo.Username != membershipManager {
		f.deny("only the membership manager may write it, not %q", req.UserInfo.Username)
	}
}

func checkCluster(req *admission.Request, cluster, old *Cluster, f *findings) {
	manager := cluster.Spec.ClusterManager.Name
	if req.SubResource == "status" {
		checkHealth(&cluster.Status, f)
		if manager == "depot" && req.UserInfo.Username != depot {
			f.warn("only the manager %q writes the status, not %q", manager, req.UserInfo.Username)
		}
		return
	}
	if manager == "depot" && req.UserInfo.Username != depot {
		f.warn("only the manager %q writes it, not %q", manager, req.UserInfo.Username)
	}
	if req.Operation == admissionv1.Delete {
		return
	}
	if manager == "" || len(validation.IsValidLabelValue(manager)) > 0 {
		f.deny("spec.clusterManager.name: must be a valid label value, got %q", manager)
	} else if cluster.Labels[label] != manager {
		f.deny("metadata.labels[%s]: must be %q, got %q", label, manager, cluster.Labels[label])
	}
	if req.Operation == admissionv1.Update && old.Spec.ClusterManager != cluster.Spec.ClusterManager {
		f.deny("spec.clusterManager: never changes")
	}
	if req.Operation == admissionv1.Create && !strings.HasPrefix(cluster.Name, manager) {
		f.warn("metadata.name: should begin with %q", manager)
	}
}

func checkHealth(status *ClusterStatus, f *findings) {
	seen := map[string]bool{}
	for i, condition := range status.Conditions {
		checkCondition(i, &condition, f)
		if seen[condition.Type] {
			f.deny("status.conditions[%d].type: %q stands there twice", i, condition.Type)
		}
		seen[condition.Type] = true
	}
	names := map[string]bool{}
	for i, property := range status.Properties {
		if property.Name == "" || names[property.Name] {
			f.warn("status.properties[%d].name: must be there once, got %q", i, property.Name)
		}
		names[property.Name] = true
		if property.Name == "cluster."+membership && len(validation.IsDNS1123Subdomain(property.Value)) > 0 {
			f.warn("status.properties[%d].value: is no id, got %q", i, property.Value)
		}
	}
	if v := status.Version.Kubernetes; v != "" && !version.MatchString(v) {
		f.warn("status.version.kubernetes: should read as a version, got %q", v)
	}
}

func checkCondition(i int, condition *metav1.Condition, f *findings) {
	if !conditionType.MatchString(condition.Type) {
		f.deny("status.conditions[%d].type: must be a qualified name, got %q", i, condition.Type)
	}
	if !reason.MatchString(condition.Reason) {
		f.deny("status.conditions[%d].reason: must be a word, got %q", i, condition.Reason)
	}
	if !slices.Contains([]metav1.ConditionStatus{"True", "False", "Unknown"}, condition.Status) {
		f.deny("status.conditions[%d].status: must be True, False or Unknown, got %q", i, condition.Status)
	}
	if condition.LastTransitionTime.IsZero() {
		f.deny("status.conditions[%d].lastTransitionTime: is missing", i)
	}
}

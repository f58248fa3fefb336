package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The guarded kinds, as a Go project would have them generated.

type Claim struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ClaimSpec `json:"spec,omitempty"`
}

type ClaimSpec struct {
	Value string `json:"value,omitempty"`
}

// Cluster is an InventoryCluster or a ClusterProfile.
type Cluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ClusterSpec   `json:"spec,omitempty"`
	Status            ClusterStatus `json:"status,omitempty"`
}

type ClusterSpec struct {
	DisplayName    string         `json:"displayName,omitempty"`
	ClusterManager ClusterManager `json:"clusterManager,omitempty"`
}

type ClusterManager struct {
	Name string `json:"name,omitempty"`
}

type ClusterStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	Version    ClusterVersion     `json:"version,omitempty"`
	Properties []Property         `json:"properties,omitempty"`
}

type ClusterVersion struct {
	Kubernetes string `json:"kubernetes,omitempty"`
}

type Property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type Feature struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FeatureSpec   `json:"spec,omitempty"`
	Status            FeatureStatus `json:"status,omitempty"`
}

type FeatureSpec struct {
	Desired string `json:"desired,omitempty"`
}

type FeatureStatus struct {
	Class             string       `json:"class,omitempty"`
	Name              string       `json:"name,omitempty"`
	Stability         string       `json:"stability,omitempty"`
	Version           string       `json:"version,omitempty"`
	Default           string       `json:"default,omitempty"`
	Source            string       `json:"source,omitempty"`
	State             string       `json:"state,omitempty"`
	TransitionTasks   []string     `json:"transitionTasks,omitempty"`
	Uses              []Use        `json:"uses,omitempty"`
	UseEvaluationTime *metav1.Time `json:"useEvaluationTime,omitempty"`
}

type Use struct {
	Version    string      `json:"version"`
	Enabled    string      `json:"enabled"`
	ReportTime metav1.Time `json:"reportTime"`
}

// A webhook only decodes into these; nothing copies them.
func (c *Claim) DeepCopyObject() runtime.Object   { copy := *c; return &copy }
func (c *Cluster) DeepCopyObject() runtime.Object { copy := *c; return &copy }
func (f *Feature) DeepCopyObject() runtime.Object { copy := *f; return &copy }

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	add := func(group, kind string, object runtime.Object) {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: "v1alpha1", Kind: kind}, object)
	}
	add("multicluster.x-k8s.io", "ClusterClaim", &Claim{})
	add("about.k8s.io", "ClusterProperty", &Claim{})
	add("multicluster.x-k8s.io", "InventoryCluster", &Cluster{})
	add("multicluster.x-k8s.io", "ClusterProfile", &Cluster{})
	add("features.x-k8s.io", "Feature", &Feature{})
	return scheme
}

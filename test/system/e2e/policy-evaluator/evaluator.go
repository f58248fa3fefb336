package main

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/warning"
)

// write is one line of standard input.
type write struct {
	PolicySet   int                        `json:"policySet"`
	Operation   admission.Operation        `json:"operation"`
	Subresource string                     `json:"subresource"`
	Kind        schemaKind                 `json:"kind"`
	Resource    string                     `json:"resource"`
	Namespace   string                     `json:"namespace"`
	Name        string                     `json:"name"`
	Username    string                     `json:"username"`
	Groups      []string                   `json:"groups"`
	Object      *unstructured.Unstructured `json:"object"`
	OldObject   *unstructured.Unstructured `json:"oldObject"`
	// The cluster's other objects, of which policies read their parameters.
	State []*unstructured.Unstructured `json:"state"`
}

type schemaKind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

// verdict is one line of standard output.
type verdict struct {
	Denied   []denial `json:"denied"`
	Warnings []string `json:"warnings"`
}

type denial struct {
	Policy  string `json:"policy"`
	Code    int32  `json:"code"`
	Message string `json:"message"`
}

type evaluator struct {
	policySets [][]validating.PolicyHook
	objects    *objectInterfaces
	plugin     generic.Dispatcher[validating.PolicyHook]
}

func newEvaluator(given setup) (*evaluator, error) {
	made := &evaluator{objects: newObjectInterfaces(given.Kinds)}
	for _, set := range given.PolicySets {
		hooks, err := set.hooks()
		if err != nil {
			return nil, err
		}
		made.policySets = append(made.policySets, hooks)
	}
	matcher := generic.NewPolicyMatcher(matching.NewMatcher(anyNamespace{}, nil))
	made.plugin = validating.NewDispatcher(nil, matcher)
	return made, nil
}

// write asks each policy by itself: all together the plugin answers with the first denial only.
func (e *evaluator) write(asked write) (verdict, error) {
	if asked.PolicySet >= len(e.policySets) {
		return verdict{}, fmt.Errorf("there is no policy set %d", asked.PolicySet)
	}
	found := verdict{Denied: []denial{}, Warnings: []string{}}
	ctx := warning.WithWarningRecorder(context.Background(), recorder(func(text string) {
		found.Warnings = append(found.Warnings, text)
	}))
	attributes := asked.attributes()
	for _, hook := range e.policySets[asked.PolicySet] {
		if kind := hook.Policy.Spec.ParamKind; kind != nil {
			hook.ParamInformer = parametersOf(schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind), asked.State)
			hook.ParamScope = meta.RESTScopeRoot
		}
		err := e.plugin.Dispatch(ctx, attributes, e.objects, []validating.PolicyHook{hook})
		if err == nil {
			continue
		}
		var status *apierrors.StatusError
		if !errors.As(err, &status) {
			return verdict{}, fmt.Errorf("policy %s: %w", hook.Policy.Name, err)
		}
		found.Denied = append(found.Denied, denial{hook.Policy.Name, status.ErrStatus.Code, status.ErrStatus.Message})
	}
	return found, nil
}

func (w write) attributes() admission.Attributes {
	kind := schema.GroupVersionKind(w.Kind)
	resource := kind.GroupVersion().WithResource(w.Resource)
	caller := &user.DefaultInfo{Name: w.Username, Groups: w.Groups}
	return admission.NewAttributesRecord(objectOf(w.Object), objectOf(w.OldObject), kind, w.Namespace, w.Name, resource,
		w.Subresource, w.Operation, nil, false, caller)
}

// objectOf keeps an object that is not there from becoming an interface that holds nil.
func objectOf(object *unstructured.Unstructured) runtime.Object {
	if object == nil {
		return nil
	}
	return object
}

type recorder func(text string)

func (r recorder) AddWarning(_, text string) { r(text) }

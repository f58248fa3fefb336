package main

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// objectInterfaces is what the plugin asks of the cluster's kinds: which resources are the same in several versions,
// and how an object is converted. CRDs without a conversion webhook change nothing but apiVersion.
type objectInterfaces struct {
	registry runtime.EquivalentResourceRegistry
}

func newObjectInterfaces(kinds []kind) *objectInterfaces {
	registry := runtime.NewEquivalentResourceRegistry()
	for _, one := range kinds {
		for _, version := range one.Versions {
			served := schema.GroupVersion{Group: one.Group, Version: version}
			for _, subresource := range []string{"", "status"} {
				registry.RegisterKindFor(served.WithResource(one.Plural), subresource, served.WithKind(one.Kind))
			}
		}
	}
	return &objectInterfaces{registry}
}

func (o *objectInterfaces) GetObjectCreater() runtime.ObjectCreater     { return o }
func (o *objectInterfaces) GetObjectTyper() runtime.ObjectTyper         { return nil }
func (o *objectInterfaces) GetObjectDefaulter() runtime.ObjectDefaulter { return nil }
func (o *objectInterfaces) GetObjectConvertor() runtime.ObjectConvertor { return o }
func (o *objectInterfaces) GetEquivalentResourceMapper() runtime.EquivalentResourceMapper {
	return o.registry
}

func (o *objectInterfaces) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(kind)
	return object, nil
}

func (o *objectInterfaces) Convert(in, out, _ interface{}) error {
	from, isFrom := in.(*unstructured.Unstructured)
	to, isTo := out.(*unstructured.Unstructured)
	if !isFrom || !isTo {
		return errors.New("only unstructured objects can be converted")
	}
	kind := to.GroupVersionKind()
	to.Object = from.DeepCopy().Object
	to.SetGroupVersionKind(kind)
	return nil
}

func (o *objectInterfaces) ConvertToVersion(runtime.Object, runtime.GroupVersioner) (runtime.Object, error) {
	return nil, errors.New("the plugin does not convert to a version")
}

func (o *objectInterfaces) ConvertFieldLabel(schema.GroupVersionKind, string, string) (string, string, error) {
	return "", "", errors.New("the plugin converts no field labels")
}

// parameters is an informer whose cache is what the write says exists.
type parameters struct {
	cache.SharedIndexInformer
	lister cache.GenericLister
}

// parametersOf returns the objects of a kind, in the version asked for.
func parametersOf(kind schema.GroupVersionKind, state []*unstructured.Unstructured) informers.GenericInformer {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, object := range state {
		if object.GroupVersionKind().GroupKind() != kind.GroupKind() {
			continue
		}
		converted := object.DeepCopy()
		converted.SetGroupVersionKind(kind)
		if err := indexer.Add(converted); err != nil {
			panic(err)
		}
	}
	return parameters{lister: cache.NewGenericLister(indexer, schema.GroupResource{Group: kind.Group, Resource: kind.Kind})}
}

func (p parameters) Informer() cache.SharedIndexInformer { return p }
func (p parameters) Lister() cache.GenericLister         { return p.lister }
func (p parameters) HasSynced() bool                     { return true }

// anyNamespace holds every namespace that is asked for, without labels.
type anyNamespace struct {
	corelisters.NamespaceListerExpansion
}

func (anyNamespace) Get(name string) (*corev1.Namespace, error) {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, nil
}

func (anyNamespace) List(labels.Selector) ([]*corev1.Namespace, error) { return nil, nil }

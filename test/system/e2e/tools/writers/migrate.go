package main

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// migrate does what kube-storage-version-migrator does: it lists the kind and writes each object back as it was read.
func migrate(ctx context.Context, r *run, like *unstructured.Unstructured) error {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(like.GroupVersionKind())
	for {
		options := []client.ListOption{client.InNamespace(like.GetNamespace()), client.Limit(500), client.Continue(list.GetContinue())}
		if err := r.client.List(ctx, list, options...); err != nil {
			return err
		}
		for index := range list.Items {
			if err := writeBack(ctx, r, &list.Items[index]); err != nil {
				return err
			}
		}
		if list.GetContinue() == "" {
			return nil
		}
	}
}

func writeBack(ctx context.Context, r *run, object *unstructured.Unstructured) error {
	err := r.client.Update(ctx, object)
	if apierrors.IsConflict(err) {
		return eachObject(update)(ctx, &run{job: job{Objects: []unstructured.Unstructured{*object}}, client: r.client})
	}
	_ = r.note("migrate "+object.GetName(), err)
	return nil
}

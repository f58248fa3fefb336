package main

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// The requests of `kapp deploy`, by its source: a change is a PUT of the manifest, to which kapp's rebase rules copy
// the stored metadata and status, but neither labels nor annotations. A second PUT records what was applied.
//
// `fallback-on-replace` deletes and creates where the PUT is answered with Invalid; `always-replace` does so at once.
func kappDeploy(ctx context.Context, r *run, object *unstructured.Unstructured) error {
	stored, err := r.live(ctx, object)
	if err != nil {
		return err
	}
	if stored == nil {
		err = r.note("create", r.client.Create(ctx, object))
	} else {
		object, err = kappUpdate(ctx, r, object, stored)
	}
	if err != nil {
		return nil
	}
	object.SetAnnotations(map[string]string{"kapp.k14s.io/original": "{}"})
	_ = r.note("record", r.client.Update(ctx, object))
	return nil
}

func kappUpdate(ctx context.Context, r *run, object, stored *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if r.job.Strategy == "always-replace" {
		return object, kappReplace(ctx, r, object, stored)
	}
	rebased := rebase(object, stored)
	err := r.note("update", r.client.Update(ctx, rebased))
	if r.job.Strategy == "fallback-on-replace" && apierrors.IsInvalid(err) {
		return object, kappReplace(ctx, r, object, stored)
	}
	return rebased, err
}

func kappReplace(ctx context.Context, r *run, object, stored *unstructured.Unstructured) error {
	if err := r.note("delete", r.client.Delete(ctx, stored)); err != nil {
		return err
	}
	for {
		left, err := r.live(ctx, object)
		if err != nil {
			return err
		}
		if left == nil {
			return r.note("create", r.client.Create(ctx, object))
		}
	}
}

// rebase applies kapp's default rules for an object of an unknown kind.
func rebase(object, stored *unstructured.Unstructured) *unstructured.Unstructured {
	rebased := object.DeepCopy()
	labels, annotations := object.GetLabels(), object.GetAnnotations()
	rebased.Object["metadata"] = stored.DeepCopy().Object["metadata"]
	rebased.SetLabels(labels)
	rebased.SetAnnotations(annotations)
	if status, found := stored.Object["status"]; found {
		rebased.Object["status"] = status
	}
	return rebased
}

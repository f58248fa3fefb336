package main

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// What `velero restore` does with one item, by its source: metadata and status are reset (owner references go,
// finalizers stay), two labels are added, the object is created; where restoreStatus names its kind, the status is
// written to /status; at last the managed fields of the backup are patched in. An object that exists is left alone, or
// patched under `existingResourcePolicy: update`.
func veleroRestore(ctx context.Context, r *run, backup *unstructured.Unstructured) error {
	object := backup.DeepCopy()
	reset(object)
	merge(object.Object, map[string]any{"metadata": map[string]any{"labels": map[string]any{
		"velero.io/backup-name": "nightly", "velero.io/restore-name": "nightly-1",
	}}})
	created := object.DeepCopy()
	err := r.client.Create(ctx, created)
	if apierrors.IsAlreadyExists(err) {
		return veleroExisting(ctx, r, object)
	}
	if r.note("create", err) != nil {
		return nil
	}
	if status, found := backup.Object["status"]; found && r.job.RestoreStatus {
		restored := object.DeepCopy()
		restored.Object["status"] = status
		restored.SetResourceVersion(created.GetResourceVersion())
		if r.note("update-status", r.client.Status().Update(ctx, restored)) == nil {
			created = restored
		}
	}
	before := created.DeepCopy()
	created.SetManagedFields(object.GetManagedFields())
	_ = r.note("managed-fields", r.client.Patch(ctx, created, client.MergeFrom(before)))
	return nil
}

// veleroExisting patches the object to what the backup has, and where that is refused its labels alone.
func veleroExisting(ctx context.Context, r *run, object *unstructured.Unstructured) error {
	if r.job.Strategy != "update" {
		return r.note("exists", nil)
	}
	stored, err := r.live(ctx, object)
	if err != nil {
		return err
	}
	reset(stored)
	stored.SetManagedFields(nil)
	if r.note("patch", r.client.Patch(ctx, object.DeepCopy(), client.MergeFrom(stored))) == nil {
		return nil
	}
	labelled := stored.DeepCopy()
	labelled.SetLabels(object.GetLabels())
	_ = r.note("patch-labels", r.client.Patch(ctx, labelled, client.MergeFrom(stored)))
	return nil
}

func reset(object *unstructured.Unstructured) {
	for _, field := range []string{
		"generateName", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
		"deletionGracePeriodSeconds", "ownerReferences",
	} {
		unstructured.RemoveNestedField(object.Object, "metadata", field)
	}
	unstructured.RemoveNestedField(object.Object, "status")
}

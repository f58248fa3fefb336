package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// The writes of controller-runtime, by controller-runtime.

func create(ctx context.Context, r *run, object *unstructured.Unstructured) error {
	_ = r.note("create", r.client.Create(ctx, object))
	return nil
}

func createOrUpdate(ctx context.Context, r *run, object *unstructured.Unstructured) error {
	result, err := controllerutil.CreateOrUpdate(ctx, r.client, object, r.mutate(object))
	_ = r.note("create-or-update: "+string(result), err)
	return nil
}

func createOrPatch(ctx context.Context, r *run, object *unstructured.Unstructured) error {
	result, err := controllerutil.CreateOrPatch(ctx, r.client, object, r.mutate(object))
	_ = r.note("create-or-patch: "+string(result), err)
	return nil
}

// mutate is the function that a controller gives to CreateOrUpdate.
func (r *run) mutate(object *unstructured.Unstructured) controllerutil.MutateFn {
	return func() error {
		merge(object.Object, r.job.Change)
		return nil
	}
}

// update reads, changes and writes; a conflict is read again, as a reconcile loop does.
func update(ctx context.Context, r *run, object *unstructured.Unstructured) error {
	return r.changed(ctx, "update", object, func(stored *unstructured.Unstructured) error {
		merge(stored.Object, r.job.Change)
		return r.client.Update(ctx, stored)
	})
}

// replace builds the whole object anew and takes nothing but the resourceVersion from the stored one.
func replace(ctx context.Context, r *run, object *unstructured.Unstructured) error {
	return r.changed(ctx, "replace", object, func(stored *unstructured.Unstructured) error {
		object.SetResourceVersion(stored.GetResourceVersion())
		return r.client.Update(ctx, object.DeepCopy())
	})
}

// patch sends a merge patch with the object's uid and resourceVersion, as the patcher of OCM's SDK does.
func patch(ctx context.Context, r *run, object *unstructured.Unstructured) error {
	return r.changed(ctx, "patch", object, func(stored *unstructured.Unstructured) error {
		base := client.MergeFromWithOptions(stored.DeepCopy(), client.MergeFromWithOptimisticLock{})
		merge(stored.Object, r.job.Change)
		return r.client.Patch(ctx, stored, base)
	})
}

func updateStatus(ctx context.Context, r *run, object *unstructured.Unstructured) error {
	return r.changed(ctx, "update-status", object, func(stored *unstructured.Unstructured) error {
		merge(stored.Object, r.job.Change)
		return r.client.Status().Update(ctx, stored)
	})
}

func patchStatus(ctx context.Context, r *run, object *unstructured.Unstructured) error {
	return r.changed(ctx, "patch-status", object, func(stored *unstructured.Unstructured) error {
		base := client.MergeFromWithOptions(stored.DeepCopy(), client.MergeFromWithOptimisticLock{})
		merge(stored.Object, r.job.Change)
		return r.client.Status().Patch(ctx, stored, base)
	})
}

func remove(ctx context.Context, r *run, object *unstructured.Unstructured) error {
	_ = r.note("delete", r.client.Delete(ctx, object, client.PropagationPolicy(metav1.DeletePropagationBackground)))
	return nil
}

// finish takes off every finalizer, as a controller does that is done with the object.
func finish(ctx context.Context, r *run, object *unstructured.Unstructured) error {
	return r.changed(ctx, "finish", object, func(stored *unstructured.Unstructured) error {
		for _, finalizer := range stored.GetFinalizers() {
			controllerutil.RemoveFinalizer(stored, finalizer)
		}
		return r.client.Update(ctx, stored)
	})
}

// kubefleet is one round of KubeFleet's controller of ClusterProfiles: CreateOrUpdate with label and spec, then
// Status().Update if the status changes.
func kubefleet(ctx context.Context, r *run, object *unstructured.Unstructured) error {
	result, err := controllerutil.CreateOrUpdate(ctx, r.client, object, func() error {
		merge(object.Object, map[string]any{
			"metadata": map[string]any{"labels": map[string]any{"x-k8s.io/cluster-manager": "KubeFleet"}},
			"spec": map[string]any{
				"clusterManager": map[string]any{"name": "KubeFleet"},
				"displayName":    object.GetName(),
			},
		})
		return nil
	})
	if r.note("create-or-update: "+string(result), err) != nil {
		return nil
	}
	stored := object.DeepCopy()
	merge(object.Object, r.job.Change)
	if equality.Semantic.DeepEqual(stored.Object["status"], object.Object["status"]) {
		return nil
	}
	_ = r.note("update-status", r.client.Status().Update(ctx, object))
	return nil
}

// changed reads the object and writes it, again on a conflict.
func (r *run) changed(
	ctx context.Context, name string, object *unstructured.Unstructured, write func(*unstructured.Unstructured) error,
) error {
	for {
		stored, err := r.live(ctx, object)
		if err != nil {
			return err
		}
		if stored == nil {
			return fmt.Errorf("no %s %q to write to", object.GetKind(), object.GetName())
		}
		if err = write(stored); !apierrors.IsConflict(err) {
			_ = r.note(name, err)
			return nil
		}
	}
}

// merge works as a JSON merge patch does: null removes.
func merge(into map[string]any, change map[string]any) {
	for key, value := range change {
		inner, isMap := value.(map[string]any)
		present, wasMap := into[key].(map[string]any)
		switch {
		case value == nil:
			delete(into, key)
		case isMap && wasMap:
			merge(present, inner)
		case isMap:
			fresh := map[string]any{}
			merge(fresh, inner)
			into[key] = fresh
		default:
			into[key] = value
		}
	}
}

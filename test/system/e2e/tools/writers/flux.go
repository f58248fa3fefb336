package main

import (
	"context"

	"github.com/fluxcd/pkg/ssa"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// What kustomize-controller does, by Flux's own package.

func fluxManager(r *run) (*ssa.ResourceManager, []*unstructured.Unstructured) {
	manager := ssa.NewResourceManager(r.client, nil, ssa.Owner{
		Field: "kustomize-controller",
		Group: "kustomize.toolkit.fluxcd.io",
	})
	objects := []*unstructured.Unstructured{}
	for _, object := range r.job.Objects {
		objects = append(objects, object.DeepCopy())
	}
	manager.SetOwnerLabels(objects, "fleet", "flux-system")
	return manager, objects
}

func fluxApply(ctx context.Context, r *run) error {
	manager, objects := fluxManager(r)
	options := ssa.DefaultApplyOptions()
	options.Force = r.job.Force
	changes, err := manager.ApplyAllStaged(ctx, objects, options)
	noteChanges(r, changes, err)
	return nil
}

func fluxPrune(ctx context.Context, r *run) error {
	manager, objects := fluxManager(r)
	options := ssa.DefaultDeleteOptions()
	options.Inclusions = manager.GetOwnerLabels("fleet", "flux-system")
	changes, err := manager.DeleteAll(ctx, objects, options)
	noteChanges(r, changes, err)
	return nil
}

func noteChanges(r *run, changes *ssa.ChangeSet, err error) {
	if changes != nil {
		for _, entry := range changes.Entries {
			_ = r.note(string(entry.Action)+" "+entry.Subject, nil)
		}
	}
	if err != nil {
		_ = r.note("flux", err)
	}
}

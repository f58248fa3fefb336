// Command writers performs the writes of well-known tools against an API server, for the field scenarios of the
// end-to-end tests. It reads one job as JSON from its standard input and prints what came of each write. The libraries
// are the tools' own where a comment says so; otherwise the sequence of requests is the one that the tool's source code
// makes.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
)

// job is one run of a tool.
type job struct {
	Kubeconfig string                      `json:"kubeconfig"`
	Write      string                      `json:"write"`
	Objects    []unstructured.Unstructured `json:"objects"`
	// Change is merged into the object that is written.
	Change map[string]any `json:"change"`
	// Force is Flux's `force`.
	Force bool `json:"force"`
	// Strategy is kapp's update strategy or Velero's policy for existing resources.
	Strategy string `json:"strategy"`
	// RestoreStatus is Velero's `restoreStatus`.
	RestoreStatus bool `json:"restoreStatus"`
	// Until repeats the job until a file of that name exists. In every round `{round}` stands for its number.
	Until string `json:"until"`
}

// step is the outcome of one write.
type step struct {
	Step    string `json:"step"`
	OK      bool   `json:"ok"`
	Code    int32  `json:"code,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

// run holds what the writers share.
type run struct {
	job      job
	client   client.Client
	warnings warnings
	steps    []step
}

type writer func(context.Context, *run) error

var writers = map[string]writer{
	"create":           eachObject(create),
	"create-or-update": eachObject(createOrUpdate),
	"create-or-patch":  eachObject(createOrPatch),
	"update":           eachObject(update),
	"replace":          eachObject(replace),
	"patch":            eachObject(patch),
	"update-status":    eachObject(updateStatus),
	"patch-status":     eachObject(patchStatus),
	"delete":           eachObject(remove),
	"finish":           eachObject(finish),
	"flux-apply":       fluxApply,
	"flux-prune":       fluxPrune,
	"kapp-deploy":      eachObject(kappDeploy),
	"kubefleet":        eachObject(kubefleet),
	"migrate":          eachObject(migrate),
	"velero-restore":   eachObject(veleroRestore),
}

func main() {
	if err := perform(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func perform(ctx context.Context) error {
	klog.SetLogger(klog.NewKlogr().V(10))
	ctrllog.SetLogger(klog.NewKlogr().V(10))
	state := &run{}
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &state.job); err != nil {
		return err
	}
	write, known := writers[state.job.Write]
	if !known {
		return fmt.Errorf("no writer %q", state.job.Write)
	}
	config, err := clientcmd.BuildConfigFromFlags("", state.job.Kubeconfig)
	if err != nil {
		return err
	}
	config.QPS = -1
	config.WarningHandler = &state.warnings
	if state.client, err = client.New(config, client.Options{}); err != nil {
		return err
	}
	round := func(number int) error {
		if err := json.Unmarshal(bytes.ReplaceAll(text, []byte("{round}"), []byte(strconv.Itoa(number))), &state.job); err != nil {
			return err
		}
		return write(ctx, state)
	}
	if err := repeat(state.job.Until, round); err != nil {
		return err
	}
	result := map[string]any{"steps": state.steps, "warnings": state.warnings.texts()}
	return json.NewEncoder(os.Stdout).Encode(result)
}

// repeat runs once, and where a file is named, again every 20 ms until it exists, and once more. A second file,
// `begun`, says that the first round is done: what happens between the two files has rounds before it and after it.
func repeat(until string, round func(int) error) error {
	for number := 1; ; number++ {
		_, missing := os.Stat(until)
		if err := round(number); err != nil {
			return err
		}
		if until == "" || missing == nil {
			return nil
		}
		if number == 1 {
			if err := os.WriteFile(until+".begun", nil, 0o600); err != nil {
				return err
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func eachObject(write func(context.Context, *run, *unstructured.Unstructured) error) writer {
	return func(ctx context.Context, r *run) error {
		for _, object := range r.job.Objects {
			if err := write(ctx, r, object.DeepCopy()); err != nil {
				return err
			}
		}
		return nil
	}
}

// note records a write. It returns the error that was passed to it.
func (r *run) note(name string, err error) error {
	noted := step{Step: name, OK: err == nil}
	if err != nil {
		noted.Message = err.Error()
		var status apierrors.APIStatus
		if errors.As(err, &status) {
			noted.Code, noted.Reason = status.Status().Code, string(status.Status().Reason)
		}
	}
	r.steps = append(r.steps, noted)
	return err
}

// live reads the stored object, and nil where there is none.
func (r *run) live(ctx context.Context, of *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	stored := &unstructured.Unstructured{}
	stored.SetGroupVersionKind(of.GroupVersionKind())
	err := r.client.Get(ctx, client.ObjectKeyFromObject(of), stored)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return stored, err
}

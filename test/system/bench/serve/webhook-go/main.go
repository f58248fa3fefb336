// A webhook as a Go project has it: controller-runtime's server and decoder, typed objects, and checks equal to
// muster's on the mixture of reviews that the benchmark sends. webhook-go PORT CERT_DIR
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/go-logr/logr"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager/signals"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

func main() {
	log.SetLogger(logr.Discard())
	port, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: os.Args[2]})
	handler := &handler{decoder: admission.NewDecoder(newScheme())}
	server.Register("/validate", &webhook.Admission{Handler: handler})
	if err := server.Start(signals.SetupSignalHandler()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type handler struct {
	decoder admission.Decoder
}

func (h *handler) Handle(_ context.Context, req admission.Request) admission.Response {
	var f findings
	var err error
	switch req.Kind.Kind {
	case "ClusterClaim", "ClusterProperty":
		err = evaluate(h, &req, &f, &Claim{}, &Claim{}, checkClaim)
	case "InventoryCluster", "ClusterProfile":
		err = evaluate(h, &req, &f, &Cluster{}, &Cluster{}, checkCluster)
	case "Feature":
		err = evaluate(h, &req, &f, &Feature{}, &Feature{}, checkFeature)
	}
	if err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	response := admission.Allowed("")
	if len(f.denials) > 0 {
		response = admission.Denied(strings.Join(f.denials, "\n"))
	}
	return response.WithWarnings(f.warnings...)
}

// evaluate decodes what the operation has and asks one check about it.
func evaluate[T runtime.Object](h *handler, req *admission.Request, f *findings, now, old T, check func(*admission.Request, T, T, *findings)) error {
	if req.Operation == admissionv1.Delete {
		if err := h.decoder.DecodeRaw(req.OldObject, now); err != nil {
			return err
		}
		check(req, now, old, f)
		return nil
	}
	if err := h.decoder.Decode(*req, now); err != nil {
		return err
	}
	if req.Operation == admissionv1.Update {
		if err := h.decoder.DecodeRaw(req.OldObject, old); err != nil {
			return err
		}
	}
	check(req, now, old, f)
	return nil
}

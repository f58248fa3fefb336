{{/*
Prints the objects of files/NAME.yaml, with what values set. (dict "root" $ "file" NAME)
*/}}
{{- define "kube-muster.file" -}}
{{- $root := .root }}
{{- $values := .root.Values }}
{{- range include "kube-muster.read" . | splitList "\n---\n" }}
{{- $object := fromYaml . }}
{{- $kind := $object.kind }}
{{- $isWanted := true }}
{{- if eq $kind "Deployment" }}
{{- include "kube-muster.pod" (dict "root" $root "template" $object.spec.template) }}
{{- include "kube-muster.server" (dict "root" $root "deployment" $object) }}
{{- else if eq $kind "CronJob" }}
{{- include "kube-muster.pod" (dict "root" $root "template" $object.spec.jobTemplate.spec.template) }}
{{- else if eq $kind "Job" }}
{{- include "kube-muster.pod" (dict "root" $root "template" $object.spec.template) }}
{{- /* A Job can't be changed, so another spec gets another name. More webhooks get another Job too, which writes their CA. */}}
{{- $digest := list $object.spec $values.webhooks.enforcement | toJson | sha256sum | trunc 8 }}
{{- $_ := set $object.metadata "name" (printf "muster-certs-%s" $digest) }}
{{- else if eq $kind "ResourceQuota" }}
{{- /* Some clusters admit the system's classes only in a namespace with a quota for them. */}}
{{- $isWanted = hasPrefix "system-" $values.priorityClassName }}
{{- $_ := set (first $object.spec.scopeSelector.matchExpressions) "values" (list $values.priorityClassName) }}
{{- else if has $kind (list "ServiceMonitor" "PrometheusRule") }}
{{- $_ := set $object.metadata "labels" (merge $object.metadata.labels $values.monitoring.labels) }}
{{- else if and (eq $kind "ConfigMap") (ne $object.metadata.name "muster-dashboard") }}
{{- $configuration := merge (dict "apiVersion" "muster/v1alpha1" "kind" "MusterConfiguration") $values.configuration }}
{{- $_ := set $object "data" (dict "muster.yaml" (toYaml $configuration)) }}
{{- else if eq $kind "NetworkPolicy" }}
{{- $isWanted = $values.networkPolicy.enabled }}
{{- if and $values.tracing.endpoint (eq $object.metadata.name "muster") }}
{{- $url := urlParse $values.tracing.endpoint }}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (ternary "443" "80" (eq $url.scheme "https")) }}
{{- $rule := dict "ports" (list (dict "port" (int $port) "protocol" "TCP")) }}
{{- $_ := set $object.spec "egress" (append $object.spec.egress $rule) }}
{{- end }}
{{- end }}
{{- if and (eq (index $object.metadata.labels "app.kubernetes.io/component") "certs") (ne $values.certificates.provider "muster") }}
{{- $isWanted = false }}
{{- end }}
{{- if $isWanted }}
{{- include "kube-muster.object" (dict "root" $root "object" $object) }}
{{- end }}
{{- end }}
{{- end }}

{{/*
Returns the text of the file files/NAME.yaml with the release's namespace. (dict "root" $ "file" NAME)
*/}}
{{- define "kube-muster.read" -}}
{{- .root.Files.Get (printf "files/%s.yaml" .file) | replace "muster-system" .root.Release.Namespace }}
{{- end }}

{{/*
Prints one object with the chart's labels and the common labels and annotations; its own labels stay. (dict "root" $ "object" OBJECT)
*/}}
{{- define "kube-muster.object" }}
{{- $root := .root }}
{{- $metadata := .object.metadata }}
{{- $labels := mergeOverwrite (dict) $root.Values.commonLabels (include "kube-muster.labels" $root | fromYaml) ($metadata.labels | default dict) }}
{{- $_ := set $metadata "labels" $labels }}
{{- with mergeOverwrite (dict) $root.Values.commonAnnotations ($metadata.annotations | default dict) }}
{{- $_ := set $metadata "annotations" . }}
{{- end }}
---
{{ toYaml .object }}
{{- end }}

{{/*
The labels of a Helm release. Name, part and component are those of muster's manifests, by which its objects select pods.
*/}}
{{- define "kube-muster.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
{{- end }}

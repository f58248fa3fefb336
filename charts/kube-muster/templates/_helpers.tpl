{{/*
The name of the release's objects: `muster` for a release of that name, else with `-muster` behind the release's name.
It is short enough for the names that are made of it; that of a CronJob has at most 52 characters. One of them is a
Service, so it has no dots and begins with a letter, which a release's name need not.
*/}}
{{- define "kube-muster.fullname" -}}
{{- $release := .Release.Name | replace "." "-" }}
{{- $default := contains "muster" $release | ternary $release (printf "%s-muster" $release) }}
{{- if regexMatch "^[0-9]" $release }}
{{- $default = printf "muster-%s" $release }}
{{- end }}
{{- .Values.fullnameOverride | default $default | trunc 40 | trimAll "-" }}
{{- end }}

{{/*
Labels, and annotations if there are any, of an object: (dict "root" $ "component" "server"), with more of them as
"labels" MAP and "annotations" MAP. An object of several components, or of none, has no "component".
*/}}
{{- define "kube-muster.metadata" -}}
{{- $root := .root }}
{{- $own := dict "app.kubernetes.io/name" "muster" "app.kubernetes.io/part-of" "muster" }}
{{- $own = merge $own (include "kube-muster.releaseLabels" $root | fromYaml) }}
{{- with .component }}
{{- $own = merge $own (include "kube-muster.selector" . | fromYaml) }}
{{- end -}}
labels:
  {{- mergeOverwrite (dict) $root.Values.commonLabels (.labels | default dict) $own | toYaml | nindent 2 }}
{{- with mergeOverwrite (dict) $root.Values.commonAnnotations (.annotations | default dict) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "kube-muster.releaseLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
{{- end }}

{{/*
The labels by which a Deployment, a Service or a policy selects the pods of a component ("server", "certs", "scan").
They never change, as the selector of a Deployment can't.
*/}}
{{- define "kube-muster.selector" -}}
app.kubernetes.io/name: muster
app.kubernetes.io/component: {{ . }}
{{- end }}

{{/*
The name of a service account: (dict "account" VALUES "name" DEFAULT).
*/}}
{{- define "kube-muster.account" -}}
{{- if .account.create }}
{{- .account.name | default .name }}
{{- else }}
{{- .account.name | default "default" }}
{{- end }}
{{- end }}

{{- define "kube-muster.serverAccount" -}}
{{- include "kube-muster.account" (dict "account" .Values.serviceAccount "name" (include "kube-muster.fullname" .)) }}
{{- end }}

{{- define "kube-muster.certsAccount" -}}
{{- $name := printf "%s-certs" (include "kube-muster.fullname" .) }}
{{- include "kube-muster.account" (dict "account" .Values.certificates.serviceAccount "name" $name) }}
{{- end }}

{{- define "kube-muster.scanAccount" -}}
{{- $name := printf "%s-scan" (include "kube-muster.fullname" .) }}
{{- include "kube-muster.account" (dict "account" .Values.scan.serviceAccount "name" $name) }}
{{- end }}

{{/*
A ServiceAccount, if the chart creates it: (dict "root" $ "component" "scan" "values" VALUES "name" NAME).
*/}}
{{- define "kube-muster.serviceAccount" -}}
{{- if .values.create -}}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ quote .name }}
  namespace: {{ .root.Release.Namespace | quote }}
  {{- $metadata := dict "root" .root "component" .component "annotations" .values.annotations }}
  {{- include "kube-muster.metadata" $metadata | nindent 2 }}
# A pod that calls the API server mounts a token by itself.
automountServiceAccountToken: false
{{- end }}
{{- end }}

{{/*
What a binding grants, and to which account: (dict "root" $ "kind" "ClusterRole" "name" ROLE "account" NAME).
*/}}
{{- define "kube-muster.binding" -}}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ .kind }}
  name: {{ .name }}
subjects:
  - kind: ServiceAccount
    name: {{ quote .account }}
    namespace: {{ .root.Release.Namespace | quote }}
{{- end }}

{{/*
The Secret with `tls.crt`, `tls.key` and `ca.crt`.
*/}}
{{- define "kube-muster.secret" -}}
{{- .Values.certificates.secretName | default (printf "%s-tls" (include "kube-muster.fullname" .)) }}
{{- end }}

{{/*
The image: by its digest where there is one.
*/}}
{{- define "kube-muster.image" -}}
{{- $image := .Values.image }}
{{- if $image.digest }}
{{- printf "%s@%s" $image.repository $image.digest }}
{{- else }}
{{- printf "%s:%s" $image.repository ($image.tag | default .Chart.AppVersion) }}
{{- end }}
{{- end }}

{{/*
The fields of a pod's spec that all pods have.
*/}}
{{- define "kube-muster.pod" -}}
automountServiceAccountToken: true
# Else a Service named muster gives each pod MUSTER_PORT=tcp://…, which would be taken for --port.
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
nodeSelector:
  # The image is one of Linux; mixed clusters have nodes of others.
  {{- mergeOverwrite (dict "kubernetes.io/os" "linux") .Values.nodeSelector | toYaml | nindent 2 }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/*
Labels and annotations of the pods of a component: (dict "root" $ "component" "server").
*/}}
{{- define "kube-muster.podMetadata" -}}
{{- $own := dict "app.kubernetes.io/part-of" "muster" | merge (include "kube-muster.selector" .component | fromYaml) -}}
labels:
  {{- mergeOverwrite (dict) .root.Values.podLabels $own | toYaml | nindent 2 }}
{{- with .root.Values.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/*
The fields of a container that all containers have.
*/}}
{{- define "kube-muster.container" -}}
image: {{ include "kube-muster.image" . | quote }}
{{- with .Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end }}
{{- with .Values.securityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/*
The source of the volume with the configuration, and with the kubeconfig of the registrar's hub if that is a file beside
it. Another path is left to `extraVolumes`. It is projected in both cases: a server-side apply by another field manager
can add a source, but not replace one type of volume by another.
*/}}
{{- define "kube-muster.configurationVolume" -}}
{{- $name := include "kube-muster.fullname" . }}
{{- $named := (.Values.configuration.registrar | default dict).kubeconfig | default "/" }}
{{- $file := clean $named | trimPrefix "/etc/muster/" -}}
projected:
  sources:
    - configMap:
        name: {{ $name }}-config
    {{- if not (contains "/" $file) }}
    - secret:
        name: {{ .Values.registrar.secretName | default (printf "%s-hub" $name) | quote }}
        items:
          - key: {{ quote $file }}
            path: {{ quote $file }}
            # 0440: only the pod's group reads it.
            mode: 288
    {{- end }}
{{- end }}

{{/*
The configuration of the server, with what every file of it begins with.
*/}}
{{- define "kube-muster.configuration" -}}
{{- merge (dict "apiVersion" "muster/v1alpha1" "kind" "MusterConfiguration") .Values.configuration | toYaml }}
{{- end }}

{{/*
Returns the image: by its digest where there is one.
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
Changes the template of a pod: what values set for all pods. (dict "root" $ "template" TEMPLATE)
*/}}
{{- define "kube-muster.pod" -}}
{{- $root := .root }}
{{- $values := .root.Values }}
{{- $metadata := .template.metadata }}
{{- $spec := .template.spec }}
{{- $_ := set $metadata "labels" (mergeOverwrite (dict) $values.podLabels $metadata.labels) }}
{{- with $values.podAnnotations }}
{{- $_ := set $metadata "annotations" . }}
{{- end }}
{{- $_ := set $spec "nodeSelector" (mergeOverwrite (dict) $spec.nodeSelector $values.nodeSelector) }}
{{- with $values.tolerations }}
{{- $_ := set $spec "tolerations" . }}
{{- end }}
{{- with $values.imagePullSecrets }}
{{- $_ := set $spec "imagePullSecrets" . }}
{{- end }}
{{- range $container := $spec.containers }}
{{- $_ := set $container "image" (include "kube-muster.image" $root) }}
{{- with $values.image.pullPolicy }}
{{- $_ := set $container "imagePullPolicy" . }}
{{- end }}
{{- end }}
{{- end }}

{{/*
Changes the Deployment: what values set for the server alone. (dict "root" $ "deployment" OBJECT)
*/}}
{{- define "kube-muster.server" -}}
{{- $values := .root.Values }}
{{- $_ := set .deployment.spec "replicas" $values.replicas }}
{{- $spec := .deployment.spec.template.spec }}
{{- $container := first $spec.containers }}
{{- $_ := set $container "resources" $values.resources }}
{{- $_ := set $container "env" (list (dict "name" "NODE_OPTIONS" "value" $values.nodeOptions)) }}
{{- if $values.events.enabled }}
{{- $_ := set $container "args" (append $container.args "--events") }}
{{- end }}
{{- if $values.tracing.endpoint }}
{{- $args := list (printf "--tracing-endpoint=%s" $values.tracing.endpoint) (printf "--tracing-ratio=%v" $values.tracing.ratio) }}
{{- $_ := set $container "args" (concat $container.args $args) }}
{{- end }}
{{- if ne $values.logLevel "info" }}
{{- $_ := set $container "args" (append $container.args (printf "--log-level=%s" $values.logLevel)) }}
{{- end }}
{{- if ne (int $values.drainSeconds) 15 }}
{{- $_ := set $container "args" (append $container.args (printf "--drain-seconds=%d" (int $values.drainSeconds))) }}
{{- end }}
{{- /* A stop takes at most 36 s after the drain. */}}
{{- $_ := set $spec "terminationGracePeriodSeconds" (max (int $spec.terminationGracePeriodSeconds) (add $values.drainSeconds 36)) }}
{{- if $values.priorityClassName }}
{{- $_ := set $spec "priorityClassName" $values.priorityClassName }}
{{- else }}
{{- $_ := unset $spec "priorityClassName" }}
{{- end }}
{{- with $values.affinity }}
{{- $_ := set $spec "affinity" . }}
{{- end }}
{{- with $values.topologySpreadConstraints }}
{{- $_ := set $spec "topologySpreadConstraints" . }}
{{- end }}
{{- end }}

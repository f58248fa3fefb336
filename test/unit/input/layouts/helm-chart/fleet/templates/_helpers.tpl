{{- define "fleet.name" -}}fleet{{- end -}}

{{- define "parlay.labels" -}}
app.kubernetes.io/name: parlay
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "parlay.chosen" -}}
app.kubernetes.io/name: parlay
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "parlay.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "parlay.trainingImage" -}}
{{ .Values.image.training }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "parlay.secret" -}}
{{ .Values.secret.existing | default (printf "%s-secret" .Release.Name) }}
{{- end }}

{{- /* No rights, no capabilities, a tree that nobody writes to. */}}
{{- define "parlay.closed" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "parlay.nobody" -}}
runAsNonRoot: true
runAsUser: {{ .user }}
runAsGroup: {{ .user }}
fsGroup: {{ .user }}
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "parlay.environment" -}}
- configMapRef: { name: {{ .Release.Name }}-settings }
- secretRef: { name: {{ include "parlay.secret" . }} }
{{- end }}

{{- define "parlay.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
- { name: shared, mountPath: /data/flywheel, subPath: flywheel }
- { name: shared, mountPath: /adapters, subPath: adapters }
{{- end }}

{{- define "parlay.volumes" -}}
- { name: data, emptyDir: {} }
- { name: tmp, emptyDir: {} }
- name: shared
  {{- if .Values.shared.enabled }}
  persistentVolumeClaim: { claimName: {{ .Release.Name }}-shared }
  {{- else }}
  emptyDir: {}
  {{- end }}
{{- end }}

{{- define "parlay.claim" -}}
accessModes: [{{ .mode }}]
{{- with .class }}
storageClassName: {{ . }}
{{- end }}
resources: { requests: { storage: {{ .size }} } }
{{- end }}

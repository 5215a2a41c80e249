{{/* What tells the parts of a release apart. In: a dictionary with `root` and `part`. */}}
{{- define "repoless.selector" -}}
app.kubernetes.io/name: repoless
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "repoless.labels" -}}
{{ include "repoless.selector" . }}
app.kubernetes.io/part-of: repoless
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "repoless.image" -}}
image: {{ printf "%s/repoless-%s:%s" .root.Values.image.registry .part (.root.Values.image.tag | default .root.Chart.AppVersion) }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
{{- end }}

{{/* Of a pod: the account of the images, no rights, no token of the cluster. */}}
{{- define "repoless.pod" -}}
serviceAccountName: {{ .Release.Name }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "repoless.container" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Probes of a program. It answers only when the tables are migrated, which may take its time. */}}
{{- define "repoless.probes" -}}
startupProbe:
  httpGet: { path: /live, port: http }
  periodSeconds: 2
  failureThreshold: 300
livenessProbe:
  httpGet: { path: /live, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /ready, port: http }
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 2
{{- end }}

{{/* The times of the program's own stop, then some room. In: its settings. */}}
{{- define "repoless.grace" -}}
terminationGracePeriodSeconds: {{ add (int (.SHUTDOWN_DELAY | default 0)) (int (.SHUTDOWN_GRACE | default 10)) 10 }}
{{- end }}

{{- define "repoless.scraped" -}}
prometheus.io/scrape: 'true'
prometheus.io/port: {{ .Values.metrics.port | quote }}
prometheus.io/path: /metrics
{{- end }}

{{/* Files of a Secret, at which the settings <name>_FILE point. */}}
{{- define "repoless.secretFolder" -}}/run/secrets/repoless{{- end }}

{{- define "repoless.host" -}}
{{- regexReplaceAll "^https?://([^/:]+).*$" . "${1}" -}}
{{- end }}

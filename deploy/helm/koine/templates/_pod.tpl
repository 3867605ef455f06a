{{- define "koine.podSpec" -}}
serviceAccountName: {{ include "koine.serviceAccount" . }}
automountServiceAccountToken: false
enableServiceLinks: false
terminationGracePeriodSeconds: {{ include "koine.gracePeriod" . }}
securityContext: {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- range $field := list "imagePullSecrets" "initContainers" "nodeSelector" "tolerations" "affinity" "priorityClassName" }}
{{- with index $.Values $field }}
{{ $field }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- with .Values.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- range . }}
  {{- $selector := dict "labelSelector" (dict "matchLabels" (include "koine.podSelector" $ | fromYaml)) }}
  - {{- toYaml (merge (deepCopy .) $selector) | nindent 4 }}
  {{- end }}
{{- end }}
containers:
  {{- include "koine.container" . | nindent 2 }}
  {{- with .Values.extraContainers }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
volumes:
  {{- include "koine.volumes" . | nindent 2 }}
{{- end -}}

{{- define "koine.container" -}}
- name: koine
  image: {{ include "koine.image" . | quote }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  args: [serve, --config, /etc/koine/gateway.yaml]
  securityContext: {{- toYaml .Values.securityContext | nindent 4 }}
  ports:
    - { name: clients, containerPort: {{ include "koine.clientPort" . }} }
    {{- if include "koine.isAdminReachable" . }}
    - { name: admin, containerPort: {{ include "koine.adminPort" . }} }
    {{- end }}
  {{- if or .Values.secretEnv .Values.env }}
  env:
    {{- range .Values.secretEnv }}
    - name: {{ .name | quote }}
      valueFrom: { secretKeyRef: { name: {{ .secret | quote }}, key: {{ .key | quote }} } }
    {{- end }}
    {{- with .Values.env }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- end }}
  {{- with .Values.envFrom }}
  envFrom: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- $scheme := include "koine.scheme" (list . "server") }}
  {{- range $probe, $path := dict "startup" "/startupz" "readiness" "/readyz" "liveness" "/livez" }}
  {{ $probe }}Probe:
    httpGet: { path: {{ $path }}, port: clients, scheme: {{ $scheme }} }
    {{- toYaml (index $.Values.probes $probe) | nindent 4 }}
  {{- end }}
  # No preStop hook: after SIGTERM the gateway reports that it is not ready, and serves for drain.delay.
  resources: {{- toYaml .Values.resources | nindent 4 }}
  volumeMounts:
    # A folder, not a subPath: only then do changes of the ConfigMap and of Secrets reach the pod.
    - { name: config, mountPath: /etc/koine, readOnly: true }
    - { name: state, mountPath: /var/lib/koine }
    - { name: tmp, mountPath: /tmp }
    {{- if .Values.adminToken.existingSecret }}
    - { name: admin-token, mountPath: /run/secrets/koine-admin, readOnly: true }
    {{- end }}
    {{- range $index, $secret := .Values.secretFiles }}
    - { name: secret-{{ $index }}, mountPath: {{ printf "/run/secrets/koine/%s" $secret | quote }}, readOnly: true }
    {{- end }}
    {{- with .Values.volumeMounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{- define "koine.volumes" -}}
- name: config
  configMap: { name: {{ .Values.existingConfigMap | default (include "koine.fullname" .) | quote }} }
- name: state
  {{- if include "koine.isPersistent" . }}
  persistentVolumeClaim: { claimName: {{ .Values.persistence.existingClaim | default (include "koine.fullname" .) | quote }} }
  {{- else }}
  emptyDir: {}
  {{- end }}
- name: tmp
  emptyDir: { sizeLimit: {{ .Values.uploads.sizeLimit | quote }} }
{{- with .Values.adminToken }}
{{- if .existingSecret }}
- name: admin-token
  secret:
    secretName: {{ .existingSecret | quote }}
    defaultMode: 288   # 0440, for the group of the pod
    items: [{ key: {{ .key | quote }}, path: token }]
{{- end }}
{{- end }}
{{- range $index, $secret := .Values.secretFiles }}
- name: secret-{{ $index }}
  secret: { secretName: {{ $secret | quote }}, defaultMode: 288 }
{{- end }}
{{- with .Values.volumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* gateway.yaml as it is written to the ConfigMap. */ -}}
{{- define "koine.config" -}}
{{- if kindIs "string" .Values.config -}}
{{- .Values.config -}}
{{- else -}}
{{- $config := deepCopy .Values.config -}}
{{- if .Values.adminToken.existingSecret -}}
{{- $admin := dict "host" "0.0.0.0" "port" 8788 "token" "${file:/run/secrets/koine-admin/token}" -}}
{{- $_ := set $config "admin" (merge (default dict $config.admin) $admin) -}}
{{- end -}}
{{- $isPostgres := hasPrefix "postgres" (dig "store" "database" "" $config) -}}
{{- $replicas := .Values.autoscaling.enabled | ternary .Values.autoscaling.minReplicas .Values.replicaCount | int -}}
{{- range $plugin := $config.plugins -}}
{{- if and (eq $plugin.use "ledger") $isPostgres -}}
{{- $spool := dict "spool" (dict "path" "/var/lib/koine/koine-ledger.spool") -}}
{{- $_ := set $plugin "config" (merge (default dict $plugin.config) $spool) -}}
{{- else if and (eq $plugin.use "rate-limit") (gt $replicas 1) -}}
{{- $_ := set $plugin "config" (merge (default dict $plugin.config) (dict "replicas" $replicas)) -}}
{{- end -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}
{{- end -}}

{{- /* The settings of gateway.yaml and its further files as one object, in JSON. Empty for a ConfigMap of its own. */ -}}
{{- define "koine.settings" -}}
{{- $settings := dict -}}
{{- if not .Values.existingConfigMap -}}
{{- $files := merge (dict "gateway.yaml" (include "koine.config" .)) .Values.configFiles -}}
{{- range $name, $text := $files -}}
{{- if regexMatch "[.]ya?ml$" $name -}}
{{- $parsed := fromYaml $text -}}
{{- if hasKey $parsed "Error" -}}
{{- fail (printf "%s is not a valid YAML object: %s" $name $parsed.Error) -}}
{{- end -}}
{{- $settings = mergeOverwrite $settings $parsed -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $settings -}}
{{- end -}}

{{- /* A port: list of the settings, listener, default. */ -}}
{{- define "koine.port" -}}
{{- $settings := index . 0 -}}
{{- $listener := index . 1 -}}
{{- $port := dig $listener "port" (index . 2) $settings -}}
{{- if not (regexMatch "^[1-9][0-9]{0,4}$" (toString $port)) -}}
{{- fail (printf "%s.port of config is %v. Write it as a number from 1 to 65535: the Service and the probes need it." $listener $port) -}}
{{- end -}}
{{- $port -}}
{{- end -}}

{{- define "koine.clientPort" -}}
{{- include "koine.port" (list (include "koine.settings" . | fromJson) "server" 8787) -}}
{{- end -}}

{{- define "koine.adminPort" -}}
{{- include "koine.port" (list (include "koine.settings" . | fromJson) "admin" 8788) -}}
{{- end -}}

{{- define "koine.isLoopback" -}}
{{- if regexMatch "^(localhost|127\\..*|::1)$" (toString .) }}true{{ end -}}
{{- end -}}

{{- /* "true" if other pods can reach the admin listener. */ -}}
{{- define "koine.isAdminReachable" -}}
{{- if .Values.existingConfigMap -}}
{{- if .Values.adminToken.existingSecret }}true{{ end -}}
{{- else -}}
{{- $settings := include "koine.settings" . | fromJson -}}
{{- if not (include "koine.isLoopback" (dig "admin" "host" "127.0.0.1" $settings)) }}true{{ end -}}
{{- end -}}
{{- end -}}

{{- /* HTTP or HTTPS of a listener: list of the root and "server" or "admin". */ -}}
{{- define "koine.scheme" -}}
{{- $settings := include "koine.settings" (index . 0) | fromJson -}}
{{- if dig (index . 1) "tls" false $settings }}HTTPS{{ else }}HTTP{{ end -}}
{{- end -}}

{{- /* A duration such as 1.5m in whole seconds, rounded up; empty if it is none. */ -}}
{{- define "koine.seconds" -}}
{{- $text := toString . -}}
{{- if regexMatch "^[0-9]+([.][0-9]+)?(ms|s|m|h|d)$" $text -}}
{{- $unit := regexFind "[a-z]+$" $text -}}
{{- $factor := get (dict "ms" 0.001 "s" 1 "m" 60 "h" 3600 "d" 86400) $unit -}}
{{- mulf (trimSuffix $unit $text | float64) $factor | ceil -}}
{{- end -}}
{{- end -}}

{{- /* The seconds that a stop can take; empty if they are not known here. */ -}}
{{- define "koine.drainSeconds" -}}
{{- if not .Values.existingConfigMap -}}
{{- $settings := include "koine.settings" . | fromJson -}}
{{- $delay := include "koine.seconds" (dig "server" "drain" "delay" "5s" $settings) -}}
{{- $timeout := include "koine.seconds" (dig "server" "drain" "timeout" "300s" $settings) -}}
{{- if and $delay $timeout }}{{ add (int $delay) (int $timeout) 10 }}{{ end -}}
{{- end -}}
{{- end -}}

{{- define "koine.gracePeriod" -}}
{{- $own := .Values.terminationGracePeriodSeconds -}}
{{- $needed := include "koine.drainSeconds" . -}}
{{- if and (not $needed) (kindIs "invalid" $own) -}}
{{- fail "Set terminationGracePeriodSeconds to drain.delay + drain.timeout + 10 of gateway.yaml (315 with its defaults): the chart cannot read the drain from an existingConfigMap or a variable." -}}
{{- end -}}
{{- if and $needed (not (kindIs "invalid" $own)) (lt (int $own) (int $needed)) -}}
{{- fail (printf "terminationGracePeriodSeconds is %d, but the drain of config takes up to %s s (drain.delay + drain.timeout + 10). Raise it, leave it out, or shorten the drain." (int $own) $needed) -}}
{{- end -}}
{{- if kindIs "invalid" $own }}{{ $needed }}{{ else }}{{ int $own }}{{ end -}}
{{- end -}}

{{- /* "true" if the state folder is a volume that outlives the pod: for SQLite, or what may be SQLite. */ -}}
{{- define "koine.isPersistent" -}}
{{- $settings := include "koine.settings" . | fromJson -}}
{{- $isPostgres := hasPrefix "postgres" (dig "store" "database" "" $settings) -}}
{{- if .Values.persistence.existingClaim -}}
true
{{- else if and .Values.persistence.enabled (not $isPostgres) (not (include "koine.isScaled" .)) -}}
true
{{- end -}}
{{- end -}}

{{- define "koine.isScaled" -}}
{{- if or .Values.autoscaling.enabled (gt (int .Values.replicaCount) 1) }}true{{ end -}}
{{- end -}}

{{- /* The stores of the settings, as an object with redis, sentinel and postgres. The URL of a database can be a variable. */ -}}
{{- define "koine.stores" -}}
{{- $store := dig "store" dict (include "koine.settings" . | fromJson) | default dict -}}
{{- $stores := dict -}}
{{- if $store.redis -}}
{{- $_ := set $stores "redis" true -}}
{{- end -}}
{{- if kindIs "map" $store.redis -}}{{- if $store.redis.sentinel -}}
{{- $_ := set $stores "sentinel" true -}}
{{- end -}}{{- end -}}
{{- if regexMatch "^(postgres|\\$)" (toString (default "" $store.database)) -}}
{{- $_ := set $stores "postgres" true -}}
{{- end -}}
{{- toJson $stores -}}
{{- end -}}

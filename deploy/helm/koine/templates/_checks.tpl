{{- /* Stops with what is wrong and what to do, where an installation could not work. */ -}}
{{- define "koine.checks" -}}
{{- if hasKey .Values.configFiles "gateway.yaml" -}}
{{- fail "configFiles holds gateway.yaml, which is the value config. Move it there." -}}
{{- end -}}
{{- if not .Values.existingConfigMap -}}
{{- $settings := include "koine.settings" . | fromJson -}}
{{- include "koine.checkListeners" (list . $settings) -}}
{{- include "koine.checkStore" (list . $settings) -}}
{{- include "koine.checkSecrets" (dict "value" $settings "path" "config") -}}
{{- end -}}
{{- if and .Values.existingConfigMap .Values.restartOnConfigChange -}}
{{- fail "restartOnConfigChange needs config: the chart does not know the content of an existingConfigMap. Restart with: kubectl rollout restart." -}}
{{- end -}}
{{- if and .Values.persistence.existingClaim (include "koine.isScaled" .) -}}
{{- fail "persistence.existingClaim is for one replica: set replicaCount to 1 and autoscaling.enabled to false, or remove the claim." -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled (not .Values.autoscaling.inFlight.enabled) (not .Values.autoscaling.cpu.enabled) -}}
{{- fail "autoscaling needs a metric: set autoscaling.inFlight.enabled or autoscaling.cpu.enabled." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- fail "ingress.hosts is empty. Name the host of the gateway, such as [llm.example.com]." -}}
{{- end -}}
{{- if .Values.serviceMonitor.enabled -}}
{{- if not .Values.adminToken.existingSecret -}}
{{- fail "serviceMonitor needs adminToken.existingSecret: Prometheus reads the metrics from the admin listener, which requires a token." -}}
{{- end -}}
{{- if not (include "koine.isAdminReachable" .) -}}
{{- fail "serviceMonitor needs an admin listener that Prometheus can reach. Set admin.host of config to 0.0.0.0." -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "koine.checkListeners" -}}
{{- $root := index . 0 -}}
{{- $settings := index . 1 -}}
{{- $host := dig "server" "host" "127.0.0.1" $settings -}}
{{- if include "koine.isLoopback" $host -}}
{{- fail (printf "server.host of config is %s, where no other pod can reach it. Set it to 0.0.0.0 (or ::)." $host) -}}
{{- end -}}
{{- if and (include "koine.isAdminReachable" $root) (not (dig "admin" "token" "" $settings)) -}}
{{- fail "admin.host of config is not loopback, and there is no admin.token. Set adminToken.existingSecret, and with a config of text admin.token to \"${file:/run/secrets/koine-admin/token}\"." -}}
{{- end -}}
{{- end -}}

{{- define "koine.checkStore" -}}
{{- $root := index . 0 -}}
{{- $settings := index . 1 -}}
{{- $database := dig "store" "database" "sqlite:./data/koine.db" $settings -}}
{{- if and (hasPrefix "sqlite:" $database) (not (regexMatch "^sqlite:(:memory:$|/var/lib/koine/|/tmp/)" $database)) -}}
{{- fail (printf "store.database of config is %s. Only /var/lib/koine can be written and is kept: use sqlite:/var/lib/koine/koine.db." $database) -}}
{{- end -}}
{{- if hasPrefix "postgres" $database -}}
{{- range $plugin := $settings.plugins -}}
{{- if and (eq $plugin.use "ledger") (not (isAbs (dig "config" "spool" "path" "" $plugin))) -}}
{{- fail "The folder of gateway.yaml cannot be written. With Postgres, give the plugin ledger a place for its spool: config: { spool: { path: /var/lib/koine/koine-ledger.spool } }." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if include "koine.isScaled" $root -}}
{{- if not (hasPrefix "postgres" $database) -}}
{{- fail (printf "Several replicas cannot share the database %s. Set store.database of config to a Postgres, such as postgres://koine:${DB_PASSWORD}@db:5432/koine, or replicaCount to 1 and autoscaling.enabled to false." $database) -}}
{{- end -}}
{{- if not (regexReplaceAll "^\\$\\{[^}]*:-\\}$" (dig "store" "redis" "" $settings | toString) "") -}}
{{- fail "Several replicas need store.redis in config, or each would count limits on its own. Write redis: \"${REDIS_URL}\" without a default: a missing variable is then an error." -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Rejects secrets that are written out, because a ConfigMap is not secret. */ -}}
{{- define "koine.checkSecrets" -}}
{{- $path := .path -}}
{{- range $name, $value := .value -}}
{{- $at := printf "%s.%s" $path (toString $name) -}}
{{- if kindIs "map" $value -}}
{{- include "koine.checkSecrets" (dict "value" $value "path" $at) -}}
{{- else -}}
{{- range $each := (kindIs "slice" $value | ternary $value (list $value)) -}}
{{- if kindIs "map" $each -}}
{{- include "koine.checkSecrets" (dict "value" $each "path" $at) -}}
{{- else if kindIs "string" $each -}}
{{- $isSecret := regexMatch "(?i)^(api_?keys?|key|(admin_?)?token|secret|password|authorization)$" (toString $name) -}}
{{- $isReference := regexMatch "[$][{]|^sha256:|^[.]?/" $each -}}
{{- if or (and $isSecret $each (not $isReference)) (regexMatch "^(postgres(ql)?|rediss?)://[^/@]*:[^/@$]+@" $each) -}}
{{- fail (printf "%s holds a secret. A ConfigMap is not secret: put it into a Secret, name that in secretEnv or secretFiles, and write ${VARIABLE} or ${file:/run/secrets/koine/NAME/KEY}." $at) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

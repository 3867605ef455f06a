/* Why settings that several gateways have are not imported, and what to do instead. */

export const keyByKey = 'Set it for each key: koine keys create --models --expires.';
export const requestDefaults =
  'What clients do not send can be set under defaults of the model ' +
  '(docs/operate/configuration.md#defaults-of-requests).';
export const observing =
  'Traces can be sent to Langfuse or a collector with the plugin traces (docs/operate/observability.md), ' +
  'and texts with the plugin prompt-log (docs/govern/prompt-log.md). GET /metrics and the log need nothing else.';
export const addCache =
  'Add the plugin response-cache, which answers equal requests with a stored response ' +
  '(docs/govern/response-cache.md). Similar requests are not found in it.';
export const otherLogin =
  'Callers are identified by keys, or by signed tokens (JWT) with the plugin auth-jwt (plugins/auth-jwt/README.md). ' +
  'For another method, write a plugin with identify (plugins/README.md), or use a key service: ' +
  'remote, in the config of the plugin auth.';
export const noAlerts =
  'There are no alerts by mail or chat. Set up alerts on the metrics (docs/reference/metrics.md).';
const nothingToDo = 'Nothing has to be set.';
export const always = (what: string): string => `${what} ${nothingToDo}`;
export const addFilter =
  'Add the plugin content-filter, with detectors, patterns, or a service that decides ' +
  '(docs/govern/content-filter.md).';
export const byClass =
  'Whether a failure is retried, and where, depends on its class (docs/operate/failover.md), ' +
  'not on a list of statuses.';
export const notForwarded = 'On the native lane only the headers of the wire are forwarded.';
export const noOtherRoutes = 'Only generation, embeddings and token counts are served.';
export const noTools = 'Clients run tools. The tools that they declare are sent to the model.';

/** Looks up a reason. */
export const reasonIn = (table: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(table, name) ? (table[name] ?? '') : 'There is no such setting here, so it is left out.';

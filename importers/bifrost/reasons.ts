import {
  always,
  noAlerts,
  addCache,
  noTools,
  notForwarded,
  addFilter,
  observing,
  otherLogin,
  reasonIn,
  requestDefaults,
} from '../shared/reasons.ts';

const noDatabase =
  'What is in the database of Bifrost is not imported. ' +
  'Keys and usage are stored in store.database (docs/operate/database.md).';
const otherCloud =
  'Credentials of this cloud are not imported. Set them in config of the provider, or leave them to the environment ' +
  '(providers/README.md).';
const unlimited = 'The number of connections to a provider is not limited. Limits of keys can use concurrent.';
const certificates = 'Certificates are always verified. Trust a private authority with NODE_EXTRA_CA_CERTS.';
const allRoutes = 'Every wire of a model can be used. To restrict it, set wires of the model, or routes.';
const adapted = always('Requests are adapted to their model automatically, and losses are reported in x-koine-losses.');
const noLabels = 'Metrics have the labels project and organization (labels of the plugin metrics), and no others.';

const sections: Readonly<Record<string, string>> = {
  auth_config: 'Administration uses the admin listener, with a token: set KOINE_ADMIN_TOKEN.',
  encryption_key: always('The database has only hashes of keys, and no secrets of vendors.'),
  config_store: noDatabase,
  vector_store: addCache,
  mcp: noTools,
  framework: 'Prices are those of the catalog: "koine catalog" shows them with their sources.',
  guardrails_config: addFilter,
  alerting: noAlerts,
  websocket: 'Only requests over HTTP are served.',
  cluster_config: 'Several hosts share store.database and store.redis (docs/operate/scaling.md).',
  access_profiles: 'Access is set by models of a key.',
  source_of_truth: always('The file always applies. Keys that are created later are in the database.'),
  env_label: 'The dashboard shows no label.',
};

/** Settings that restrict who can send requests, and which. */
export const restricting: ReadonlySet<string> = new Set(['required_headers', 'allowed_requests', 'access_profiles']);

const settings: Readonly<Record<string, string>> = {
  // client
  drop_excess_requests: 'Under overload, requests are refused with 503 (server.overload).',
  initial_pool_size: always('There is no pool of workers for each provider.'),
  prometheus_labels: noLabels,
  allowed_origins:
    'There are no headers for browsers of other origins. Serve the gateway behind a proxy that adds them.',
  allowed_headers:
    'There are no headers for browsers of other origins. Serve the gateway behind a proxy that adds them.',
  disable_content_logging: always('Prompts and answers are logged only by the plugin prompt-log.'),
  allow_direct_keys: 'Clients cannot use keys of vendors. Give each client a key.',
  header_filter_config: notForwarded,
  required_headers: 'To refuse requests without a header, write a plugin with enter (plugins/README.md).',
  logging_headers: 'The access log has no headers of requests.',
  whitelisted_routes: 'Health checks need no key: /livez, /readyz and /startupz.',
  compat: adapted,
  enable_litellm_fallbacks: adapted,
  disable_db_pings_in_health: always('The health checks do not depend on the database alone.'),
  async_job_result_ttl: 'Responses are not stored.',
  // providers
  concurrency_and_buffer_size: unlimited,
  max_conns_per_host: unlimited,
  proxy_config: 'Providers are called directly. Set baseUrl to a proxy that forwards to the vendor.',
  prompt_cache: 'Set promptCache of a model to its lifetime.',
  openai_config: requestDefaults,
  insecure_skip_verify: certificates,
  ca_cert_pem: certificates,
  beta_header_overrides: notForwarded,
  stream_throughput_guard: 'Slow streams end by timeouts of the provider: firstContent, idle, total.',
  allowed_requests: allRoutes,
  request_path_overrides: 'A provider has the paths of its wire. Set baseUrl to an address that ends before them.',
  send_back_raw_request: 'The native lane forwards the bytes of the provider.',
  send_back_raw_response: 'The native lane forwards the bytes of the provider.',
  use_for_batch_api: 'Batches are not served. Clients must call the vendor for those.',
  client_id: otherCloud,
  client_secret: otherCloud,
  tenant_id: otherCloud,
  scopes: otherCloud,
  // governance
  auth_config: sections['auth_config'] ?? '',
  projects: 'A project of our file contains keys, and a request cannot select another one.',
  mcp_configs: noTools,
  calendar_aligned: always('Budgets are per calendar period, in the time zone of the plugin rate-limit.'),
  user_id: otherLogin,
  complexity_analyzer_config: 'Requests are not routed by their contents.',
};

/** Why a setting is not imported, and what to do instead. */
export function reasonFor(section: string, name: string): string {
  if (name === '') return reasonIn(sections, section);
  if (name.endsWith('_key_config')) return otherCloud;
  if (name.startsWith('mcp_')) return noTools;
  return section === 'logs_store' ? observing : reasonIn(settings, name);
}

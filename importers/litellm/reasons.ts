import {
  always,
  keyByKey,
  noAlerts,
  addCache,
  noOtherRoutes,
  noTools,
  notForwarded,
  addFilter,
  observing,
  otherLogin,
  reasonIn,
} from '../shared/reasons.ts';

const keysInDatabase =
  'Virtual keys, teams and spend are in the database of LiteLLM, which is not imported. ' +
  'Create keys with "koine keys create" (see docs/govern/limits.md for budgets), or write them under organizations.';
const general: Readonly<Record<string, string>> = {
  database_url: keysInDatabase,
  store_model_in_db: 'Models are configured in the file only. Add the models that are in the database of LiteLLM.',
  custom_auth: otherLogin,
  enable_jwt_auth: otherLogin,
  litellm_jwtauth: otherLogin,
  enable_oauth2_auth: otherLogin,
  alerting: noAlerts,
  alerting_threshold: noAlerts,
  alerting_args: noAlerts,
  alert_types: noAlerts,
  alert_to_webhook_url: noAlerts,
  spend_report_frequency: noAlerts,
  background_health_checks:
    'The health of targets is derived from real requests, not from paid probes (docs/operate/failover.md).',
  health_check_interval:
    'The health of targets is derived from real requests, not from paid probes (docs/operate/failover.md).',
  pass_through_endpoints:
    'Only the routes of a wire are served. Clients must call other endpoints of a vendor directly.',
  key_management_system:
    'Secrets are read from variables and files, ${VAR} and ${file:/run/secrets/x}, which your secret manager ' +
    'can provide.',
  key_management_settings:
    'Secrets are read from variables and files, ${VAR} and ${file:/run/secrets/x}, which your secret manager ' +
    'can provide.',
  use_x_forwarded_for: 'Only listed proxies are trusted: add their addresses to server.trustProxy.',
  allowed_ips: 'Client addresses are not filtered. Use a firewall or a proxy.',
  allowed_routes: 'Set routes to the list of routes to serve.',
  completion_model: 'Every request must name a model. Add an alias with the name that clients send.',
  infer_model_from_keys: 'Models are configured in the file only.',
  store_prompts_in_spend_logs: 'The plugin ledger stores no prompts and no responses.',
  enforce_user_param: 'To refuse requests without it, write a plugin with admit (plugins/README.md).',
  forward_client_headers_to_llm_api: notForwarded,
  litellm_key_header_name:
    'Keys are read from Authorization: ' +
    'Bearer, x-api-key, x-alt-api-key, x-goog-api-key and ?key=, and no other header.',
  max_response_size_mb: 'Responses are streamed, so their size is not limited.',
  max_parallel_requests:
    'There are no limits per deployment. ' +
    'Limits of keys can use concurrent, and the limits of vendors are learned from their headers and 429s.',
  proxy_batch_write_at: keysInDatabase,
  database_connection_pool_limit: keysInDatabase,
  allow_requests_on_db_unavailable: 'Keys of the file need no database.',
};

const settings: Readonly<Record<string, string>> = {
  drop_params: always('Unsupported parameters are removed or rewritten automatically, and reported in x-koine-losses.'),
  modify_params: always('Requests are adapted to their model automatically.'),
  success_callback: observing,
  failure_callback: observing,
  callbacks: observing,
  service_callback: observing,
  service_callbacks: observing,
  turn_off_message_logging: always('Prompts and answers are logged only by the plugin prompt-log.'),
  redact_user_api_key_info: always('Logs contain the names of keys only.'),
  json_logs: always('The log is JSON.'),
  set_verbose: 'There is no verbose log. Use koine explain to see how a request would be handled.',
  cache: addCache,
  cache_params: addCache,
  cache_kwargs: addCache,
  context_window_fallbacks:
    'For a prompt that is too long, clients get the 400 of the vendor, and no other model is tried. ' +
    'Clients must choose a larger model.',
  content_policy_fallbacks: 'Clients get the refusal of the vendor, and no other model is tried.',
  retry_policy:
    'Whether a failure is retried depends on its class (docs/operate/failover.md). retries applies to all of them.',
  model_group_retry_policy:
    'Whether a failure is retried depends on its class (docs/operate/failover.md). retries applies to all of them.',
  allowed_fails_policy:
    'Failures are counted by class (docs/operate/failover.md). A bad request of a client never counts.',
  enable_pre_call_checks: 'Before a call, the limits of the key are checked, but not the length of the prompt.',
  optional_pre_call_checks:
    'Conversations stay on their target (sticky of the plugin failover). There are no other checks.',
  enable_tag_filtering:
    'Targets are not chosen by tags. Add a model for each tag, and list it in models of the keys that can use it.',
  tag_filtering_match_any: 'Targets are not chosen by tags.',
  disable_cooldowns:
    'A failing target always cools down. ' +
    'For nearly the same effect, set circuit.failures to 1 and cooldown to 1s in the plugin failover.',
  default_litellm_params: 'Set defaults of each model (docs/operate/configuration.md#defaults-of-requests).',
  retry_after: always('Delays before retries are random and increase (backoff of the plugin failover).'),
  max_fallbacks: 'To limit the calls per request, set attempts of the plugin failover.',
  routing_strategy_args: 'The only settings of the routing are weights and sticky.',
  cost_discount_config: 'Set priceFactor of the provider: 0.95 is a discount of 5 %.',
  cost_margin_config: 'Set priceFactor of the provider: 1.1 is a margin of 10 %.',
  models: keyByKey,
  duration: keyByKey,
  default_team_settings: keysInDatabase,
  key_generation_settings: keysInDatabase,
  max_internal_user_budget: keysInDatabase,
  max_end_user_budget:
    'Add a limit of cost with each: user to the keys or projects whose clients name their end users.',
  tag_budget_config: 'Add a limit of cost with each: tag:<name>; all values of a tag have the same amount.',
  public_model_groups: 'GET /v1/models lists the models that the key of the request can use.',
  force_ipv4: 'Start the gateway with NODE_OPTIONS=--dns-result-order=ipv4first.',
};

const params: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['stream', 'dimensions', 'allowed_openai_params'].map((name) => [
      name,
      'The gateway adds no such default to requests. Clients must send it.',
    ]),
  ),
  api_version: always('The imported address accepts every version.'),
  base_model:
    'Capabilities and price are known by the name of the model at the vendor. ' +
    'For a name of your own, set capabilities and price.',
  drop_params: always('Unsupported parameters are removed or rewritten automatically, and reported in x-koine-losses.'),
  additional_drop_params: always(
    'Unsupported parameters are removed or rewritten automatically, and reported in x-koine-losses.',
  ),
  max_parallel_requests: 'There are no limits per deployment. Limits of keys can use concurrent.',
  num_retries: 'retries of the plugin failover applies to all models.',
  max_retries: 'retries of the plugin failover applies to all models.',
  cooldown_time: 'cooldown and circuit of the plugin failover apply to all models.',
  mock_response: 'Add a target with the provider simulator instead.',
  use_in_pass_through: 'Only the routes of a wire are served.',
  tags: 'Targets are not chosen by tags. Add a model for each tag, and list it in models of the keys that can use it.',
  access_groups: 'Access is set by models of a key, as ids or patterns.',
  max_input_tokens: 'The vendor checks the length of the prompt.',
  team_id: 'Access is set by models of a key.',
  description: 'It has no effect here. Keep it as a comment.',
  input_cost_per_second: 'Seconds of audio have a price here (units.seconds), and not the seconds of a call.',
  output_cost_per_second: 'Seconds of audio have a price here (units.seconds), and not the seconds of a call.',
  input_cost_per_pixel: 'Set units.images of the price: USD for each image, or by size and quality.',
};

/** Settings that restrict who can send requests, and which. */
export const restricting: ReadonlySet<string> = new Set(['allowed_ips', 'allowed_routes']);

const sections: Readonly<Record<string, string>> = {
  environment_variables:
    'The file cannot set variables. Set them where the gateway is started. Values in clear text are not copied.',
  include: 'Import that file as well, and combine the results with include, such as include: [models/*.yaml].',
  guardrails: addFilter,
  mcp_servers: noTools,
  vector_store_registry: 'There are no vector stores here.',
  callback_settings: observing,
  finetune_settings: noOtherRoutes,
  files_settings: noOtherRoutes,
  search_tools: 'Clients run tools.',
  prompts: 'Clients manage prompts.',
};

const bySection: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  general_settings: general,
  litellm_settings: settings,
  router_settings: settings,
  model_list: params,
};

/**
 * Why a setting is not imported, and what to do instead.
 * @param name empty for the section itself
 */
export function reasonFor(section: string, name: string): string {
  const table = name === '' ? sections : (bySection[section] ?? {});
  const key = name === '' ? section : name;
  return reasonIn(table, key);
}

const keysInDatabase =
  'LiteLLM keeps virtual keys, teams and spend in its database, and nothing of it can be read from this file. Make keys with "koine keys create" (docs/limits.md tells how budgets are written), or put them under organizations.';
const keyByKey = 'Say it of each key when it is made: koine keys create --models --expires.';
const requestDefaults = 'The gateway adds nothing to what clients ask for. Let clients send it.';
const observing =
  'Nothing is sent to other services. One JSON line a request stands on standard output, and GET /metrics has the figures (docs/metrics.md): collect those.';
const noCache =
  'Answers are not kept and given again here. The prompt caches of vendors are used: promptCache of a model, and sticky of the plugin failover.';
const otherLogin =
  'Callers are known by their keys. A plugin with identify (plugins/README.md) can know them otherwise, and so can a key service: remote, in the config of the plugin auth.';
const noAlerts = 'There are no alerts by mail or chat. Alert on the metrics (docs/metrics.md).';
const nothingToDo = 'Nothing has to be set for it here.';
const always = (what: string): string => `${what} ${nothingToDo}`;

const general: Readonly<Record<string, string>> = {
  database_url: keysInDatabase,
  store_model_in_db:
    'The file is the truth here, and nothing in a database overrides it. Models that stand in the database of LiteLLM have to be written here.',
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
    'Targets are judged by the requests they serve, not by probes that cost money (docs/failover.md).',
  health_check_interval:
    'Targets are judged by the requests they serve, not by probes that cost money (docs/failover.md).',
  pass_through_endpoints:
    'Only the routes of a wire are served. Let clients call other endpoints of the vendor themselves.',
  key_management_system:
    'Secrets come from variables and files: ${VAR} and ${file:/run/secrets/x}. Let your secret manager fill those.',
  key_management_settings:
    'Secrets come from variables and files: ${VAR} and ${file:/run/secrets/x}. Let your secret manager fill those.',
  use_x_forwarded_for: 'Only named proxies are believed: write their addresses in server.trustProxy.',
  allowed_ips: 'Addresses are not filtered here. Let a firewall or a proxy do it.',
  allowed_routes: 'Leave routes out of the list of routes that should not be served.',
  completion_model: 'A request names its model. Give the model an alias under the name that clients send.',
  infer_model_from_keys: 'Models are named in the file.',
  store_prompts_in_spend_logs: 'The rows of the plugin ledger hold no prompts and no answers.',
  enforce_user_param: 'A plugin with admit (plugins/README.md) can refuse requests without it.',
  forward_client_headers_to_llm_api:
    'On the native lane the headers that belong to the wire are forwarded, and no others.',
  litellm_key_header_name:
    'Keys are taken as Authorization: Bearer, x-api-key, x-alt-api-key, x-goog-api-key and ?key=, and from no other header.',
  max_response_size_mb: 'Answers are streamed through, so their size has no limit.',
  max_parallel_requests:
    'There is no limit for each deployment. Limits of keys may have concurrent; vendors are spared by what their headers and 429s say.',
  proxy_batch_write_at: keysInDatabase,
  database_connection_pool_limit: keysInDatabase,
  allow_requests_on_db_unavailable: 'Keys that stand in the file need no database.',
};

const settings: Readonly<Record<string, string>> = {
  drop_params: always('What a model does not take is left out or rewritten by itself, and named in x-koine-losses.'),
  modify_params: always('Requests are bent to what their model takes by themselves.'),
  success_callback: observing,
  failure_callback: observing,
  callbacks: observing,
  service_callback: observing,
  service_callbacks: observing,
  turn_off_message_logging: always('Prompts and answers are never logged.'),
  redact_user_api_key_info: always('Keys are logged by their names.'),
  json_logs: always('The log is JSON.'),
  set_verbose: 'There is no such log here. koine explain tells what would become of a request.',
  cache: noCache,
  cache_params: noCache,
  cache_kwargs: noCache,
  context_window_fallbacks:
    'A prompt that is too long is answered with the 400 of the vendor, and no other model is tried. Let clients name the larger model.',
  content_policy_fallbacks: 'What a vendor refuses to answer is its answer: no other model is asked.',
  retry_policy:
    'What is worth another try is known by the class of the failure (docs/failover.md); retries holds for all of them.',
  model_group_retry_policy:
    'What is worth another try is known by the class of the failure (docs/failover.md); retries holds for all of them.',
  allowed_fails_policy: 'Failures are counted by class (docs/failover.md); a bad request of a client never counts.',
  enable_pre_call_checks: 'The length of a prompt is not checked before it is sent; limits of keys are.',
  optional_pre_call_checks:
    'Conversations stay where they began (sticky of the plugin failover); other checks are not made.',
  enable_tag_filtering: 'Targets are not chosen by tags. Make a model for each tag, and say which keys may use it.',
  tag_filtering_match_any: 'Targets are not chosen by tags.',
  disable_cooldowns:
    'Targets that fail always rest. Set circuit.failures to 1 and cooldown to 1s in the plugin failover to come near it.',
  default_litellm_params: requestDefaults,
  retry_after: always('Pauses before a retry are random and grow (backoff of the plugin failover).'),
  max_fallbacks: 'attempts of the plugin failover says how many calls a request may cost.',
  routing_strategy_args: 'The routing has no settings of its own beside weights and sticky.',
  cost_discount_config: 'Write the discounted price of the model.',
  cost_margin_config: 'Write the price of the model with its margin.',
  models: keyByKey,
  duration: keyByKey,
  default_team_settings: keysInDatabase,
  key_generation_settings: keysInDatabase,
  max_internal_user_budget: keysInDatabase,
  max_end_user_budget: 'The end users of your clients are not counted. Give each a key, or a project, to limit them.',
  tag_budget_config: 'Money is counted by key, project and organization, not by tag.',
  public_model_groups: 'GET /v1/models lists what the key that asks may use.',
  force_ipv4: 'Node chooses the address; start it with NODE_OPTIONS=--dns-result-order=ipv4first.',
};

const params: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'temperature',
      'max_tokens',
      'max_completion_tokens',
      'top_p',
      'top_k',
      'seed',
      'stop',
      'stream',
      'reasoning_effort',
      'thinking',
      'frequency_penalty',
      'presence_penalty',
      'extra_body',
      'dimensions',
      'allowed_openai_params',
    ].map((name) => [name, requestDefaults]),
  ),
  api_version: always('The address that is written takes every version.'),
  base_model:
    'What a model can do is known by its name at the vendor; where that is a name of your own, write capabilities and price.',
  drop_params: always('What a model does not take is left out or rewritten by itself, and named in x-koine-losses.'),
  additional_drop_params: always(
    'What a model does not take is left out or rewritten by itself, and named in x-koine-losses.',
  ),
  max_parallel_requests: 'There is no limit for each deployment. Limits of keys may have concurrent.',
  num_retries: 'retries of the plugin failover holds for all models.',
  max_retries: 'retries of the plugin failover holds for all models.',
  cooldown_time: 'cooldown and circuit of the plugin failover hold for all models.',
  mock_response: 'Give the model a target of the provider simulator instead.',
  use_in_pass_through: 'Only the routes of a wire are served.',
  tags: 'Targets are not chosen by tags. Make a model for each tag, and say which keys may use it.',
  access_groups: 'Say which models a key may use: models of the key, as ids or patterns.',
  max_input_tokens: 'The length of a prompt is left to the vendor.',
  team_id: 'Say which models a key may use: models of the key.',
  description: 'It says nothing to the gateway. Keep it as a comment.',
  input_cost_per_second: 'Prices are per token.',
  output_cost_per_second: 'Prices are per token.',
};

const sections: Readonly<Record<string, string>> = {
  environment_variables:
    'Variables are not set by the file. Set them where the gateway is started; what stands here in clear is not repeated.',
  include: 'Import that file, too, and join the results: include: [models/*.yaml] exists here.',
  guardrails: 'Contents are not inspected. A plugin with admit or an interceptor (plugins/README.md) can do it.',
  mcp_servers: 'Tools are the affair of clients; what they declare is carried to the model.',
  vector_store_registry: 'There are no vector stores here.',
  callback_settings: observing,
  finetune_settings: 'Only generation, embeddings and token counts are served.',
  files_settings: 'Only generation, embeddings and token counts are served.',
  search_tools: 'Tools are the affair of clients.',
  prompts: 'Prompts are the affair of clients.',
};

const bySection: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  general_settings: general,
  litellm_settings: settings,
  router_settings: settings,
  model_list: params,
};

/** Why a setting has no place here, and what to do instead. @param name empty: of the section itself */
export function reasonFor(section: string, name: string): string {
  const table = name === '' ? sections : (bySection[section] ?? {});
  const key = name === '' ? section : name;
  return Object.hasOwn(table, key) ? (table[key] ?? '') : 'There is no such setting here. It is left out.';
}

import {
  always,
  byClass,
  addCache,
  noOtherRoutes,
  notForwarded,
  addFilter,
  reasonIn,
  requestDefaults,
} from '../shared/reasons.ts';

const retained = always(
  'Unsupported parameters are removed or rewritten automatically, and reported in x-koine-losses.',
);
const otherCloud =
  'Credentials of this cloud are not imported. Set them in config of the provider, or leave them to the environment ' +
  '(providers/README.md).';

const table: Readonly<Record<string, string>> = {
  after_request_hooks: addFilter,
  before_request_hooks: addFilter,
  default_input_guardrails: addFilter,
  default_output_guardrails: addFilter,
  input_guardrails: addFilter,
  output_guardrails: addFilter,
  input_mutators: addFilter,
  output_mutators: addFilter,
  cache: addCache,
  default_params: requestDefaults,
  drop_params: retained,
  forward_headers: `${notForwarded} Credentials of clients are never forwarded.`,
  metadata: 'Clients name the end user and tags in x-koine-user and x-koine-tags (docs/govern/attribution.md).',
  on_status_codes: byClass,
  prompt_id: 'Clients manage prompts.',
  strict_open_ai_compliance: always('Responses have the form of the wire that the client uses.'),
  api_version: always('The imported address accepts every version.'),
  azure_model_name:
    'Capabilities and price are known by the name of the model at the vendor. ' +
    'For a name of your own, set capabilities and price.',
  deployments: 'Add a model for each deployment, with the deployment as the model of its target.',
  openai_beta: notForwarded,
  anthropic_beta: notForwarded,
  anthropic_version: notForwarded,
  mistral_fim_completion: noOtherRoutes,
  sticky_session:
    'A conversation stays on its target (sticky of the plugin failover), ' +
    'by its caller and the beginning of its prompt.',
  cancel_others: 'Requests are not sent to several targets at once.',
};

/** Why a setting is not imported, and what to do instead. */
export const reasonFor = (section: string, name: string): string => {
  const setting = name === '' ? section : name;
  return /^(?:aws|vertex|azure|amzn)_/.test(setting) && !Object.hasOwn(table, setting)
    ? otherCloud
    : reasonIn(table, setting);
};

import {
  anthropic,
  at,
  azure,
  balance,
  big,
  claude,
  fallback,
  gpt,
  key,
  model,
  named,
  on,
  openai,
  route,
  small,
  when,
  type Members,
} from './builders.ts';

export const single: Readonly<Record<string, Members>> = {
  'a slug': at(openai),
  'a slug with parameters': { ...at(anthropic), ...model('claude-sonnet-4', { max_tokens: 512, temperature: 0 }) },
  'a slug with a model in it': at('@openai-prod/gpt-4.1'),
  'a model with a slug': model('@openai-prod/gpt-4o'),
  'a vendor and its key': at('openai', undefined, { api_key: 'clear-openai-0001' }),
  'a virtual key': key('openai-virtual-key'),
  'a virtual key without a meaning': key('***'),
  'a virtual key with cache and retry': key('openai-key', { cache: { mode: 'simple' }, retry: { attempts: 5 } }),
  'mode single': on('single', at(openai, 'gpt-4o')),
  'a prompt': { prompt_id: 'pp-support', provider: openai },
  'a host': at('openai', undefined, { custom_host: 'http://10.0.0.7:8000/v1', api_key: 'clear-own-0002' }),
  'a host of Ollama': at('ollama', undefined, { custom_host: 'http://host.docker.internal:11434' }),
  'forwarded headers': at('openai', 'm', {
    custom_host: 'https://llm.example.com/v1',
    forward_headers: ['Authorization'],
  }),
  'a resource of Azure': at('azure-openai', undefined, {
    api_key: 'clear-azure-0003',
    resource_name: 'acme',
    deployment_id: 'gpt-4o-eu',
    api_version: '2024-10-21',
  }),
  'Azure with several deployments': key('azure-key', {
    deployments: [{ deployment_id: 'gpt-4o-eu', alias: 'gpt-4o', api_version: '2024-10-21', is_default: true }],
  }),
  'Azure AI': at('azure-ai', 'DeepSeek-R1', {
    azure_deployment_name: 'deepseek',
    azure_deployment_type: 'serverless',
    azure_region: 'westus',
    azure_api_version: '2024-05-01-preview',
    api_key: 'clear-azure-0004',
  }),
  'Bedrock with keys': at('bedrock', 'anthropic.claude-3-5-sonnet-20241022-v2:0', {
    aws_access_key_id: 'clear-aws-0005',
    aws_secret_access_key: 'clear-aws-0006',
    aws_session_token: 'clear-aws-0007',
    aws_region: 'eu-central-1',
  }),
  'Vertex with a service account': at('vertex-ai', 'gemini-2.5-pro', {
    vertex_region: 'europe-west4',
    vertex_service_account_json: { type: 'service_account', private_key: 'clear-vertex-0008' },
  }),
  'Vertex with a project': at('vertex-ai', 'gemini-2.5-pro', { vertex_region: 'us-east5', vertex_project_id: 'acme' }),
  'an organization of OpenAI': at('openai', 'gpt-4o', { openai_organization: 'org-acme', openai_project: 'proj_acme' }),
  'only a cache': { cache: { mode: 'semantic', max_age: 60 } },
  'only a retry': { retry: { attempts: 3, on_status_codes: [429, 503], use_retry_after_headers: true } },
  'only a timeout': { request_timeout: 10_000 },
  'only guardrails': { input_guardrails: ['pg-pii'], output_guardrails: ['pg-facts'] },
  'only hooks': {
    before_request_hooks: [{ id: 'pg-pii', type: 'guardrail' }],
    after_request_hooks: [{ id: 'pg-facts' }],
  },
  'only headers': { forward_headers: ['x-tenant'] },
  'only parameters': { default_params: { temperature: 0.2 }, drop_params: ['logprobs'] },
  'only a passthrough': { passthrough: true },
  'a retry of timeouts': key('open-ai-xxx', { request_timeout: 1_000, retry: { attempts: 3, on_status_codes: [408] } }),
  'checks written out': {
    ...on('single', at('openai', 'gpt-4o', { api_key: 'clear-openai-0009' })),
    input_guardrails: [{ 'default.contains': { operator: 'none', words: ['secret'] }, 'deny': true }],
    output_guardrails: [
      { 'default.regexMatch': { rule: '^\\d+$' }, 'async': false, 'on_fail': { feedback: { value: -1, weight: 1 } } },
      { 'portkey.pii': { redact: true, categories: ['EMAIL_ADDRESS'] } },
    ],
  },
};

export const fallbacks: Readonly<Record<string, Members>> = {
  'between models': fallback(model('@openai-prod/gpt-4o'), model('@anthropic-prod/claude-3-5-sonnet-20241022')),
  'between providers': fallback(at(openai), at(azure)),
  'between virtual keys': fallback(key('openai-key'), key('anthropic-key', model('claude-3-5-sonnet-20241022'))),
  'on a limit': { ...fallback(at(openai), at(azure)), strategy: { mode: 'fallback', on_status_codes: [429] } },
  'of three tiers': fallback(
    ...['@openai/gpt-4o', '@anthropic/claude-3-opus', '@google/gemini-1.5-pro'].map((m) => model(m)),
  ),
  'with one cache': { ...fallback(...gpt), cache: { mode: 'semantic', max_age: 60 } },
  'with a cache for each': fallback(
    { ...model('@openai/gpt-4o'), cache: { mode: 'simple', max_age: 200 } },
    { ...model('@anthropic/claude-3-opus'), cache: { mode: 'semantic' } },
  ),
  'with one timeout': { ...fallback(key('open-ai-xxx'), key('azure-open-ai-xxx')), request_timeout: 10_000 },
  'with a timeout for each': fallback(
    key('open-ai-xxx', { request_timeout: 10_000 }),
    key('azure-open-ai-xxx', { request_timeout: 2_000 }),
  ),
  'with a circuit breaker': {
    ...fallback(key('openai-1'), key('openai-2')),
    strategy: {
      mode: 'fallback',
      cb_config: {
        failure_threshold: 5,
        failure_threshold_percentage: 20,
        minimum_requests: 10,
        cooldown_interval: 60_000,
        failure_status_codes: [401, 429, 500],
      },
    },
  },
  'to a host': fallback(
    at('openai', undefined, { custom_host: 'https://llm.example.com/v1', forward_headers: ['Authorization'] }),
    at('openai', undefined, { api_key: 'clear-openai-0010' }),
  ),
  'with other parameters': fallback(
    { ...at(openai, 'gpt-4o'), default_params: { temperature: 0.7 }, drop_params: ['tools[*].function.strict'] },
    at('@anthropic-backup', 'claude-sonnet-4-20250514'),
  ),
  'from a passthrough': fallback({ passthrough: true, ...model('gpt-4o') }, at('@anthropic-backup', 'claude-sonnet-4')),
  'with guardrails': fallback(
    { ...at(openai, 'gpt-4o'), input_guardrails: ['pg-pii'], output_guardrails: [{ id: 'pg-facts', deny: true }] },
    at(anthropic, 'claude-3-opus', { strict_open_ai_compliance: false }),
  ),
  'of a cluster': fallback(
    balance(model('@google-1/gemini-2.5-pro'), model('@google-2/gemini-2.5-pro')),
    model('@openai/gpt-4.1'),
  ),
  'to a router': fallback(
    model('@openai/gpt-4o'),
    route(
      [when({ 'metadata.user_region': { $eq: 'EU' } }, 'eu')],
      'us',
      named('eu', model('@azure-eu/gpt-4o')),
      named('us', model('@azure-us/gpt-4o')),
    ),
  ),
  'of one target': fallback(at(openai, 'gpt-4o')),
};

export const balances: Readonly<Record<string, Members>> = {
  'between providers': balance(at(openai, undefined, { weight: 0.7 }), at(azure, undefined, { weight: 0.3 })),
  'between keys': balance(...[1, 2, 3].map((count) => at(`@openai-key-${count}`, undefined, { weight: 1 }))),
  'between models': balance(
    { ...model('@openai-prod/gpt-4o'), weight: 0.75 },
    { ...model('@anthropic-prod/claude-3-5-sonnet-20241022'), weight: 0.25 },
  ),
  'a canary': balance(key('openai-key', { weight: 95 }), at('groq', 'llama-3.3-70b-versatile', { weight: 5 })),
  'a stopped target': balance(at(openai, 'gpt-4o', { weight: 1 }), at(azure, 'gpt-4o', { weight: 0 })),
  'a sticky session': {
    strategy: { mode: 'loadbalance', sticky_session: { hash_fields: ['metadata.user_id'], ttl: 3600 } },
    targets: [at(openai, undefined, { weight: 0.5 }), at(anthropic, undefined, { weight: 0.5 })],
  },
  'a passthrough': balance({ passthrough: true, weight: 0.7 }, at('@openai-backup', undefined, { weight: 0.3 })),
  'a fallback for each': balance({ ...fallback(...gpt), weight: 1 }, { ...fallback(...claude), weight: 1 }),
  'nested timeouts': {
    ...balance(
      {
        ...fallback(key('open-ai-1-1'), key('open-ai-1-2', { request_timeout: 10_000 })),
        request_timeout: 5_000,
        weight: 1,
      },
      key('azure-open-ai-1', { weight: 1 }),
    ),
    request_timeout: 2_000,
  },
  'a router for each': balance(
    route([when({ 'metadata.plan': 'paid' }, 'big')], 'small', big, small),
    at(azure, 'gpt-4o'),
  ),
};

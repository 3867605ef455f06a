import { PDF, PIXEL, schema, WAV, type Probe } from '../probe.ts';

const user = { role: 'user', content: 'Hi' };
const tool = { type: 'function', function: { name: 'f', description: 'd', parameters: schema } };
const custom = { type: 'custom', custom: { name: 'c', description: 'd', format: { type: 'text' } } };
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"city":"Paris"}' } };
const say = (...content: readonly object[]) => ({ messages: [{ role: 'user', content }] });
const text = { type: 'text', text: 'Look.' };

/** https://platform.openai.com/docs/api-reference/chat/create */
export const chatProbes: readonly Probe[] = [
  { feature: 'system message', body: { messages: [{ role: 'system', content: 's' }, user] } },
  { feature: 'developer message', body: { messages: [{ role: 'developer', content: 's' }, user] } },
  {
    feature: 'system message in the middle',
    body: { messages: [user, { role: 'assistant', content: 'a' }, { role: 'system', content: 's' }, user] },
  },
  { feature: '`name` of a message', body: { messages: [{ ...user, name: 'bob' }] } },
  { feature: 'last message by the assistant', body: { messages: [user, { role: 'assistant', content: '{' }] } },
  {
    feature: 'image, bytes',
    body: say(text, { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }),
  },
  { feature: 'image, URL', body: say(text, { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }) },
  {
    feature: 'image `detail`',
    body: say(text, { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}`, detail: 'low' } }),
  },
  {
    feature: 'PDF, bytes',
    body: say(text, { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } }),
  },
  { feature: 'file id', body: say(text, { type: 'file', file: { file_id: 'file-1' } }) },
  { feature: 'audio input', body: say(text, { type: 'input_audio', input_audio: { data: WAV, format: 'wav' } }) },
  { feature: 'function tools', body: { tools: [tool] } },
  { feature: '`strict` tools', body: { tools: [{ ...tool, function: { ...tool.function, strict: true } }] } },
  { feature: 'custom tools', body: { tools: [custom] } },
  {
    feature: 'tool name of 64 characters with dots',
    body: { tools: [{ ...tool, function: { ...tool.function, name: `a.${'b'.repeat(62)}` } }] },
  },
  { feature: '`tool_choice: required`', body: { tools: [tool], tool_choice: 'required' } },
  { feature: '`tool_choice: none`', body: { tools: [tool], tool_choice: 'none' } },
  {
    feature: '`tool_choice` of one function',
    body: { tools: [tool], tool_choice: { type: 'function', function: { name: 'f' } } },
  },
  {
    feature: '`tool_choice: allowed_tools`',
    body: {
      tools: [tool, custom],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
      },
    },
  },
  { feature: '`parallel_tool_calls: false`', body: { tools: [tool], parallel_tool_calls: false } },
  {
    feature: 'call and result',
    body: {
      tools: [tool],
      messages: [
        user,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: '18' },
      ],
    },
  },
  {
    feature: 'call with broken JSON',
    body: {
      tools: [tool],
      messages: [
        user,
        { role: 'assistant', tool_calls: [{ ...call, function: { name: 'f', arguments: '{"ci' } }] },
        { role: 'tool', tool_call_id: 'call_1', content: '18' },
      ],
    },
  },
  {
    feature: 'result without its call',
    body: { messages: [user, { role: 'tool', tool_call_id: 'call_9', content: '18' }, user] },
  },
  { feature: '`response_format: json_object`', body: { response_format: { type: 'json_object' } } },
  {
    feature: '`response_format: json_schema`',
    body: { response_format: { type: 'json_schema', json_schema: { name: 'r', schema, strict: true } } },
  },
  { feature: 'no output cap', body: { max_completion_tokens: undefined } },
  { feature: '`temperature`', body: { temperature: 0.5 } },
  { feature: '`temperature` above 1', body: { temperature: 1.7 } },
  { feature: '`top_p`', body: { top_p: 0.9 } },
  { feature: '`n`', body: { n: 2 } },
  { feature: '`stop`', body: { stop: ['END'] } },
  { feature: '`seed`', body: { seed: 1 } },
  { feature: '`presence_penalty`', body: { presence_penalty: 0.1 } },
  { feature: '`frequency_penalty`', body: { frequency_penalty: 0.1 } },
  { feature: '`logit_bias`', body: { logit_bias: { '1': 1 } } },
  { feature: '`logprobs`', body: { logprobs: true, top_logprobs: 2 } },
  { feature: '`reasoning_effort`', body: { reasoning_effort: 'low', max_completion_tokens: 16_000 } },
  { feature: '`reasoning.max_tokens`', body: { reasoning: { max_tokens: 2_048 }, max_completion_tokens: 16_000 } },
  {
    feature: '`reasoning.exclude`',
    body: { reasoning: { effort: 'low', exclude: true }, max_completion_tokens: 16_000 },
  },
  { feature: '`verbosity`', body: { verbosity: 'low' } },
  { feature: '`user`', body: { user: 'u' } },
  { feature: '`safety_identifier`', body: { safety_identifier: 'u' } },
  { feature: '`metadata`', body: { metadata: { a: 'b' } } },
  { feature: '`store`', body: { store: true } },
  { feature: '`service_tier`', body: { service_tier: 'flex' } },
  { feature: '`prompt_cache_key`', body: { prompt_cache_key: 'k' } },
  { feature: 'cache breakpoint', body: say({ ...text, prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' } }) },
  { feature: '`prediction`', body: { prediction: { type: 'content', content: 'x' } } },
  { feature: 'audio output', body: { modalities: ['text', 'audio'], audio: { format: 'wav', voice: 'alloy' } } },
  { feature: '`web_search_options`', body: { web_search_options: {} } },
  { feature: '`moderation`', body: { moderation: { model: 'omni-moderation-latest' } } },
  { feature: '`prompt_cache_options`', body: { prompt_cache_options: { mode: 'explicit' } } },
  {
    feature: 'system message and an empty user message',
    body: {
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: '' },
      ],
    },
  },
];

import { PDF, PIXEL, schema, type Probe } from '../probe.ts';

const tool = { type: 'function', name: 'f', description: 'd', parameters: schema };
const custom = { type: 'custom', name: 'c', description: 'd', format: { type: 'text' } };
const say = (...content: readonly object[]) => ({ input: [{ role: 'user', content }] });
const text = { type: 'input_text', text: 'Look.' };
const user = { role: 'user', content: 'Hi' };
const call = { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{"city":"Paris"}' };

/** https://platform.openai.com/docs/api-reference/responses/create */
export const responsesProbes: readonly Probe[] = [
  { feature: '`instructions`', body: { instructions: 's' } },
  { feature: 'developer message', body: { input: [{ role: 'developer', content: 's' }, user] } },
  {
    feature: 'image, bytes',
    body: say(text, { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PIXEL}` }),
  },
  {
    feature: 'image, URL',
    body: say(text, { type: 'input_image', detail: 'auto', image_url: 'https://example.com/a.png' }),
  },
  {
    feature: 'PDF, bytes',
    body: say(text, { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` }),
  },
  { feature: 'PDF, URL', body: say(text, { type: 'input_file', file_url: 'https://example.com/a.pdf' }) },
  { feature: 'file id', body: say(text, { type: 'input_file', file_id: 'file-1' }) },
  { feature: 'function tools', body: { tools: [tool] } },
  { feature: '`strict` tools', body: { tools: [{ ...tool, strict: true }] } },
  { feature: 'custom tools', body: { tools: [custom] } },
  {
    feature: 'custom tool with a grammar',
    body: { tools: [{ ...custom, format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } }] },
  },
  {
    feature: 'namespace of tools',
    body: { tools: [{ type: 'namespace', name: 'ns', description: 'd', tools: [tool] }] },
  },
  { feature: 'web search', body: { tools: [{ type: 'web_search' }] } },
  { feature: 'hosted tool', body: { tools: [{ type: 'code_interpreter' }] } },
  { feature: 'tool that the client executes', body: { tools: [{ type: 'local_shell' }] } },
  { feature: '`tool_choice: required`', body: { tools: [tool], tool_choice: 'required' } },
  { feature: '`tool_choice: none`', body: { tools: [tool], tool_choice: 'none' } },
  { feature: '`tool_choice` of one function', body: { tools: [tool], tool_choice: { type: 'function', name: 'f' } } },
  { feature: '`parallel_tool_calls: false`', body: { tools: [tool], parallel_tool_calls: false } },
  {
    feature: 'call and result',
    body: { tools: [tool], input: [user, call, { type: 'function_call_output', call_id: 'call_1', output: '18' }] },
  },
  {
    feature: 'result with an image',
    body: {
      tools: [tool],
      input: [
        user,
        call,
        {
          type: 'function_call_output',
          call_id: 'call_1',
          output: [text, { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PIXEL}` }],
        },
      ],
    },
  },
  {
    feature: 'reasoning of a vendor in the history',
    body: {
      input: [
        user,
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 't' }], encrypted_content: 'ENC' },
        { role: 'assistant', content: 'a' },
        user,
      ],
    },
  },
  { feature: '`text.format: json_object`', body: { text: { format: { type: 'json_object' } } } },
  {
    feature: '`text.format: json_schema`',
    body: { text: { format: { type: 'json_schema', name: 'r', schema, strict: true } } },
  },
  { feature: '`text.verbosity`', body: { text: { verbosity: 'low' } } },
  { feature: 'no output cap', body: { max_output_tokens: undefined } },
  { feature: '`temperature`', body: { temperature: 0.5 } },
  { feature: '`top_p`', body: { top_p: 0.9 } },
  { feature: '`top_logprobs`', body: { top_logprobs: 2 } },
  { feature: '`reasoning.effort`', body: { reasoning: { effort: 'low' }, max_output_tokens: 16_000 } },
  {
    feature: '`reasoning.summary`',
    body: { reasoning: { effort: 'low', summary: 'auto' }, max_output_tokens: 16_000 },
  },
  { feature: '`include: reasoning.encrypted_content`', body: { include: ['reasoning.encrypted_content'] } },
  { feature: '`metadata`', body: { metadata: { a: 'b' } } },
  { feature: '`store: true`', body: { store: true } },
  { feature: '`user`', body: { user: 'u' } },
  { feature: '`service_tier`', body: { service_tier: 'flex' } },
  { feature: '`prompt_cache_key`', body: { prompt_cache_key: 'k' } },
  { feature: '`truncation`', body: { truncation: 'auto' } },
  { feature: '`max_tool_calls`', body: { max_tool_calls: 3 } },
  { feature: '`previous_response_id`', body: { previous_response_id: 'resp_1' } },
  { feature: '`conversation`', body: { conversation: 'conv_1' } },
  { feature: '`background`', body: { background: true } },
  { feature: 'item reference', body: { input: [{ type: 'item_reference', id: 'msg_1' }, user] } },
  { feature: '`moderation`', body: { moderation: { model: 'omni-moderation-latest' } } },
  {
    feature: '`configuration_update` item',
    body: {
      max_output_tokens: 16_000,
      input: [user, { type: 'configuration_update', reasoning: { effort: 'low' } }, user],
    },
  },
  { feature: '`compaction_trigger` item', body: { input: [user, { type: 'compaction_trigger' }] } },
  { feature: 'asynchronous tool', body: { tools: [{ ...tool, async: true }] } },
  {
    feature: 'asynchronous call in the history',
    body: {
      tools: [tool],
      input: [user, { ...call, async: true }, { type: 'function_call_output', call_id: 'call_1', output: '18' }],
    },
  },
  {
    feature: 'call with arguments that are not JSON',
    body: {
      tools: [tool],
      input: [
        user,
        { ...call, arguments: '{"city":' },
        { type: 'function_call_output', call_id: 'call_1', output: '18' },
      ],
    },
  },
  { feature: '`instructions` and an empty `input`', body: { instructions: 's', input: '' } },
  { feature: '`reasoning.mode`', body: { reasoning: { mode: 'pro' }, max_output_tokens: 16_000 } },
  { feature: '`image.context_compression`', body: { image: { context_compression: 'disabled' } } },
  { feature: '`prompt_cache_options.prewarm`', body: { prompt_cache_options: { prewarm: true } } },
  { feature: '`access_programs`', body: { access_programs: { cyber: 'standard' } } },
  {
    feature: '`context_management`',
    body: { context_management: [{ type: 'compaction', compact_threshold: 100_000 }] },
  },
];

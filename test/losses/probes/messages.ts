import { PDF, PIXEL, schema, type Probe } from '../probe.ts';

const user = { role: 'user', content: 'Hi' };
const tool = { name: 'f', description: 'd', input_schema: schema };
const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: { city: 'Paris' } };
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
const say = (...content: readonly object[]) => ({ messages: [{ role: 'user', content }] });
const answer = (result: object) => ({
  tools: [tool],
  messages: [
    user,
    { role: 'assistant', content: [call] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', ...result }] },
  ],
});
const text = { type: 'text', text: 'Look.' };
const mark = { cache_control: { type: 'ephemeral' } };

/** https://platform.claude.com/docs/en/api/messages */
export const messagesProbes: readonly Probe[] = [
  { feature: '`system`', body: { system: 's' } },
  {
    feature: 'system message in the middle',
    body: { messages: [user, { role: 'assistant', content: 'a' }, { role: 'system', content: 's' }, user] },
  },
  { feature: 'last message by the assistant', body: { messages: [user, { role: 'assistant', content: '{' }] } },
  { feature: 'image, bytes', body: say(text, image) },
  {
    feature: 'image, URL',
    body: say(text, { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }),
  },
  { feature: 'image, file id', body: say(text, { type: 'image', source: { type: 'file', file_id: 'file_1' } }) },
  {
    feature: 'PDF, bytes',
    body: say(text, { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } }),
  },
  {
    feature: 'document of plain text',
    body: say({ type: 'document', title: 't', source: { type: 'text', media_type: 'text/plain', data: 'd' } }),
  },
  {
    feature: 'search result',
    body: say({
      type: 'search_result',
      source: 'https://example.com',
      title: 't',
      content: [{ type: 'text', text: 'found' }],
    }),
  },
  { feature: 'function tools', body: { tools: [tool] } },
  { feature: '`strict` tools', body: { tools: [{ ...tool, strict: true }] } },
  { feature: 'web search', body: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] } },
  { feature: 'server tool', body: { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] } },
  { feature: 'tool that the client executes', body: { tools: [{ type: 'memory_20250818', name: 'memory' }] } },
  {
    feature: 'deferred tool that a search has found',
    body: {
      ...answer({ content: [{ type: 'tool_reference', tool_name: 'g' }] }),
      tools: [tool, { ...tool, name: 'g', defer_loading: true }],
    },
  },
  {
    feature: 'tool added by a message',
    body: {
      tools: [tool, { ...tool, name: 'g', defer_loading: true }],
      messages: [
        user,
        { role: 'system', content: [{ type: 'tool_addition', tool: { type: 'tool_reference', name: 'g' } }] },
        user,
      ],
    },
  },
  { feature: '`tool_choice: any`', body: { tools: [tool], tool_choice: { type: 'any' } } },
  { feature: '`tool_choice: none`', body: { tools: [tool], tool_choice: { type: 'none' } } },
  { feature: '`tool_choice: tool`', body: { tools: [tool], tool_choice: { type: 'tool', name: 'f' } } },
  {
    feature: '`disable_parallel_tool_use`',
    body: { tools: [tool], tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
  },
  { feature: 'call and result', body: answer({ content: '18' }) },
  { feature: 'result that failed', body: answer({ content: 'ENOENT', is_error: true }) },
  { feature: 'result with an image', body: answer({ content: [text, image] }) },
  { feature: '`thinking: enabled`', body: { thinking: { type: 'enabled', budget_tokens: 2_048 }, max_tokens: 16_000 } },
  { feature: '`thinking: adaptive`', body: { thinking: { type: 'adaptive' }, max_tokens: 16_000 } },
  {
    feature: '`thinking.display: updates`',
    body: { thinking: { type: 'adaptive', display: 'updates' }, max_tokens: 16_000 },
  },
  {
    feature: '`thinking.block_binding`',
    body: {
      thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
      max_tokens: 16_000,
    },
  },
  { feature: '`thinking: disabled`', body: { thinking: { type: 'disabled' } } },
  { feature: '`output_config.effort`', body: { output_config: { effort: 'low' }, max_tokens: 16_000 } },
  {
    feature: '`output_config.task_budget`',
    body: { output_config: { task_budget: { type: 'tokens', total: 20_000 } } },
  },
  { feature: '`output_config.format`', body: { output_config: { format: { type: 'json_schema', schema } } } },
  {
    feature: 'signed thinking of a vendor in the history',
    body: {
      messages: [
        user,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 't', signature: 'SIG' },
            { type: 'text', text: 'a' },
          ],
        },
        user,
      ],
    },
  },
  { feature: '`temperature`', body: { temperature: 0.5 } },
  { feature: '`top_p`', body: { top_p: 0.9 } },
  { feature: '`top_k`', body: { top_k: 5 } },
  { feature: '`stop_sequences`', body: { stop_sequences: ['END'] } },
  { feature: '`metadata.user_id`', body: { metadata: { user_id: 'u' } } },
  { feature: '`service_tier`', body: { service_tier: 'standard_only' } },
  { feature: '`speed: fast`', body: { speed: 'fast' } },
  { feature: '`cache_control` on a block', body: say({ ...text, ...mark }) },
  { feature: '`cache_control` on the system prompt', body: { system: [{ type: 'text', text: 's', ...mark }] } },
  { feature: '`cache_control` on a tool', body: { tools: [{ ...tool, ...mark }] } },
  { feature: '`cache_control` of the request', body: mark },
  { feature: '`inference_geo`', body: { inference_geo: 'eu' } },
  { feature: '`context_management`', body: { context_management: { edits: [] } } },
  {
    feature: '`compaction` block in the history',
    body: {
      messages: [{ role: 'assistant', content: [{ type: 'compaction', content: 's', signature: 'SIG' }] }, user],
    },
  },
  { feature: '`compaction`', body: { compaction: { type: 'summarize' } } },
  { feature: '`safeguards`', body: { safeguards: [{ type: 'cyber' }] } },
  { feature: '`thread`', body: { thread: { type: 'create' } } },
  { feature: '`fallbacks`', body: { fallbacks: 'default' } },
  { feature: '`mcp_servers`', body: { mcp_servers: [{ type: 'url', url: 'https://example.com/mcp', name: 'm' }] } },
];

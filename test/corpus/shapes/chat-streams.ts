import {
  called,
  chunk,
  counted,
  DONE,
  frames,
  lineOf,
  lookUp,
  made,
  tokens,
  usageChunk,
  type VendorShape,
} from './shape.ts';

export const chatStreams: readonly VendorShape[] = [
  made(
    'Groq: reasoning with its channel, a call in one chunk, and usage in x_groq',
    'chat-completions',
    lineOf('groq', {
      sse:
        frames([
          chunk({ role: 'assistant', content: '' }, {}, { x_groq: { id: 'req_1', seed: 1 } }),
          chunk({ reasoning: 'I look it up.', channel: 'analysis' }),
          chunk({ tool_calls: [{ index: 0, id: 'fc_1', type: 'function', function: called }] }),
          chunk({}, { finish_reason: 'tool_calls' }, { x_groq: { id: 'req_1', usage: tokens } }),
        ]) + DONE,
    }),
    { reasoning: 'I look it up.', calls: [lookUp], usage: counted },
  ),
  made(
    'DeepSeek: null members, fragments of a call without an id, and its own counts of the cache',
    'chat-completions',
    lineOf('deepseek', {
      sse:
        frames([
          chunk({ role: 'assistant', content: null, reasoning_content: 'Think' }),
          chunk({ content: null, reasoning_content: ' twice.' }),
          chunk({
            content: '',
            reasoning_content: null,
            tool_calls: [{ index: 0, id: 'call_0', function: { ...called, arguments: '' } }],
          }),
          chunk({ tool_calls: [{ index: 0, id: null, function: { arguments: called.arguments } }] }),
          chunk(
            { content: '' },
            { finish_reason: 'tool_calls' },
            { usage: { ...tokens, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 6 } },
          ),
        ]) + DONE,
    }),
    { reasoning: 'Think twice.', calls: [lookUp], usage: { ...counted, cacheRead: 4 } },
  ),
  made(
    'xAI: reasoning beside the completion, in the total only',
    'chat-completions',
    lineOf('xai', {
      sse:
        frames([
          chunk({ role: 'assistant', reasoning_content: 'Hm.' }),
          chunk({ content: 'Oslo.' }),
          chunk({}, { finish_reason: 'stop' }),
          usageChunk({
            prompt_tokens: 10,
            completion_tokens: 5,
            total_tokens: 35,
            completion_tokens_details: { reasoning_tokens: 20 },
            num_sources_used: 0,
          }),
        ]) + DONE,
    }),
    { text: 'Oslo.', reasoning: 'Hm.', usage: { ...counted, output: 25, reasoning: 20 } },
  ),
  made(
    'OpenRouter: comments, reasoning twice, and a proof of its own',
    'chat-completions',
    lineOf('openrouter', {
      sse:
        frames(
          [
            chunk({
              role: 'assistant',
              content: '',
              reasoning: 'Hm.',
              reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', index: 0, format: 'anthropic-claude-v1' }],
            }),
            chunk({
              content: '',
              reasoning: null,
              reasoning_details: [{ type: 'reasoning.text', signature: 'c2ln', index: 0 }],
            }),
            chunk({ content: 'Oslo.', reasoning: null, reasoning_details: [] }, { native_finish_reason: null }),
            chunk({ content: '' }, { finish_reason: 'stop', native_finish_reason: 'end_turn' }, { provider: 'One' }),
            usageChunk({ ...tokens, cost: 0.1, is_byok: false, cost_details: { upstream_inference_cost: null } }),
          ],
          { between: ': OPENROUTER PROCESSING\n\n' },
        ) + DONE,
    }),
    { text: 'Oslo.', reasoning: 'Hm.', usage: counted },
  ),
  made(
    'Mistral: lists of thinking and text, padding, and a whole call without an index',
    'chat-completions',
    lineOf('mistral', {
      sse:
        frames([
          chunk({ role: 'assistant', content: '' }, {}, { p: 'abc' }),
          chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
          chunk({ content: [{ type: 'text', text: 'Wait.' }] }, {}, { p: 'a' }),
          chunk(
            { content: '', tool_calls: [{ id: 'aB3dE6gH9', function: called }] },
            { finish_reason: 'tool_calls' },
            { usage: tokens },
          ),
        ]) + DONE,
    }),
    { text: 'Wait.', reasoning: 'Hm.', calls: [lookUp], usage: counted },
  ),
  {
    ...made(
      'Perplexity: the whole message beside each delta, usage and sources in chunks, and no [DONE]',
      'chat-completions',
      lineOf('perplexity', {
        sse: frames(
          [
            chunk(
              { content: 'Os' },
              { message: { content: 'Os' } },
              { usage: { ...tokens, completion_tokens: 1, total_tokens: 11 } },
            ),
            chunk({ content: 'lo.' }, { message: { content: 'Oslo.' } }, { usage: tokens }),
            {
              ...chunk({ content: '' }, { message: { content: 'Oslo.' }, finish_reason: 'stop' }, { usage: tokens }),
              object: 'chat.completion.done',
              citations: ['https://one.example/oslo', 'https://two.example/'],
              search_results: [
                { title: 'Oslo', url: 'https://one.example/oslo' },
                { title: 'Two', url: 'https://two.example/' },
              ],
            },
          ],
          { end: '\r\n\r\n' },
        ),
      }),
      { text: 'Oslo.', usage: counted },
    ),
    sources: ['https://one.example/oslo', 'https://two.example/'],
  },
  made(
    'thinkTags: reasoning in tags that are cut, and tags further on',
    'chat-completions',
    lineOf('tagged', {
      sse:
        frames([
          ...['\n', '<thi', 'nk>', 'Hm', '. 1 </', 'b> 2</th', 'ink>\n', '\nOs', 'lo <think>'].map((content) =>
            chunk({ content }),
          ),
          chunk({}, { finish_reason: 'stop' }),
          usageChunk(tokens),
        ]) + DONE,
    }),
    { text: 'Oslo <think>', reasoning: 'Hm. 1 </b> 2', usage: counted },
  ),
  made(
    'Snowflake: empty members, no finish reason, and a call with two bodies',
    'chat-completions',
    lineOf('snowflake', {
      sse:
        frames([
          {
            ...chunk({
              role: 'assistant',
              content: '',
              refusal: '',
              tool_calls: [{ index: 0, id: 'toolu_1', function: called, custom: { name: '', input: '' } }],
            }),
            id: '',
          },
          { ...usageChunk(tokens), id: '', service_tier: '' },
        ]) + DONE,
    }),
    { calls: [lookUp], usage: counted },
  ),
];

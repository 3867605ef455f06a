import { PDF, PIXEL, schema, type Probe, type Wire } from '../probe.ts';

/** A feature that clients write in more than one way, and its losses over one target. */
export interface Spelling extends Probe {
  readonly target: Wire;
  readonly losses: readonly string[];
}

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
const document = { type: 'document', title: 't', source: { type: 'base64', media_type: 'application/pdf', data: PDF } };
const mark = { cache_control: { type: 'ephemeral' } };
const user = { role: 'user', content: 'Hi' };
const call = (id: string, input: string) => ({ id, type: 'function', function: { name: 'f', arguments: input } });

/** Members whose place differs from the one that most clients use. */
export const otherSpellings: Readonly<Record<Wire, readonly Spelling[]>> = {
  'chat-completions': [
    {
      feature: 'the newer output cap above the maximum',
      body: { max_completion_tokens: 9_000_000 },
      target: 'messages',
      losses: ['max_completion_tokens;approximated'],
    },
    {
      feature: 'the older output cap above the maximum',
      body: { max_completion_tokens: undefined, max_tokens: 9_000_000 },
      target: 'messages',
      losses: ['max_tokens;approximated'],
    },
    {
      feature: 'the second of two calls with broken JSON',
      body: {
        tools: [{ type: 'function', function: { name: 'f' } }],
        messages: [
          user,
          { role: 'assistant', content: 'a', tool_calls: [call('c1', '{}'), call('c2', '{"ci')] },
          { role: 'tool', tool_call_id: 'c1', content: '18' },
          { role: 'tool', tool_call_id: 'c2', content: '18' },
        ],
      },
      target: 'messages',
      losses: ['messages[1].tool_calls[1].function.arguments;approximated'],
    },
    {
      feature: 'the second function is strict',
      body: {
        tools: [
          { type: 'function', function: { name: 'f', parameters: schema } },
          { type: 'function', function: { name: 'g', parameters: schema, strict: true } },
        ],
      },
      target: 'generate-content',
      losses: ['tools[1].function.strict;dropped'],
    },
    {
      feature: 'reasoning that is only enabled',
      body: { reasoning: { enabled: true }, max_completion_tokens: 16_000 },
      target: 'messages',
      losses: ['reasoning.enabled;approximated'],
    },
  ],
  messages: [
    {
      feature: 'the name of the second document',
      body: { messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, document] }] },
      target: 'generate-content',
      losses: ['messages[0].content[1].title;dropped'],
    },
    {
      feature: 'a mark on the second block of the system prompt',
      body: {
        system: [
          { type: 'text', text: 's' },
          { type: 'text', text: 't', ...mark },
        ],
      },
      target: 'chat-completions',
      losses: ['system[1].cache_control;dropped'],
    },
    {
      feature: 'the second result failed',
      body: {
        tools: [{ name: 'f', input_schema: schema }],
        messages: [
          user,
          {
            role: 'assistant',
            content: ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'f', input: { city: 'x' } })),
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'a', content: [image] },
              { type: 'tool_result', tool_use_id: 'b', content: 'no', is_error: true },
            ],
          },
        ],
      },
      target: 'chat-completions',
      losses: ['messages[2].content[1].is_error;approximated', 'messages[2].content[0].content;approximated'],
    },
    {
      feature: 'a system message in the middle, after a system prompt',
      body: {
        system: 's',
        messages: [user, { role: 'assistant', content: 'a' }, { role: 'system', content: 't' }, user],
      },
      target: 'generate-content',
      losses: ['messages[2].content;approximated'],
    },
  ],
  responses: [
    {
      feature: 'the older name of the end user',
      body: { safety_identifier: 'u' },
      target: 'generate-content',
      losses: ['safety_identifier;dropped'],
    },
    {
      feature: 'arguments with broken JSON',
      body: {
        tools: [{ type: 'function', name: 'f', parameters: schema }],
        input: [
          user,
          { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"ci' },
          { type: 'function_call_output', call_id: 'c1', output: '18' },
        ],
      },
      target: 'messages',
      losses: ['input[1].arguments;approximated'],
    },
    {
      feature: 'the second tool of a namespace is strict',
      body: {
        tools: [
          {
            type: 'namespace',
            name: 'ns',
            description: 'd',
            tools: ['f', 'g'].map((name) => ({ type: 'function', name, parameters: schema, strict: name === 'g' })),
          },
        ],
      },
      target: 'generate-content',
      losses: ['tools[0].tools[1].strict;dropped'],
    },
  ],
  'generate-content': [
    {
      feature: 'members in snake case',
      body: { generationConfig: undefined, generation_config: { max_output_tokens: 100, top_k: 5 } },
      target: 'chat-completions',
      losses: ['generation_config.top_k;dropped'],
    },
    {
      feature: 'a schema without a MIME type, beside a tool',
      body: {
        generationConfig: {
          maxOutputTokens: 100,
          responseMimeType: 'application/json',
          responseSchema: { type: 'OBJECT' },
        },
      },
      target: 'chat-completions',
      losses: ['generationConfig.responseMimeType;approximated'],
    },
  ],
  'interactions': [
    {
      feature: 'the older member for JSON',
      body: { response_mime_type: 'application/json' },
      target: 'messages',
      losses: ['response_mime_type;injected'],
    },
  ],
};

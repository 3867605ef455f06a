import { called, counted, lineOf, lookUp, made, plain, tokens, type VendorShape } from './shape.ts';

export const chatBodies: readonly VendorShape[] = [
  made(
    'Mistral: a list of thinking and text, and audio beside the prompt',
    'chat-completions',
    lineOf(
      'mistral',
      plain(
        {
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
            { type: 'text', text: 'Oslo.' },
          ],
          tool_calls: null,
        },
        { ...tokens, total_tokens: 75, prompt_tokens_details: { cached_tokens: 0, audio_tokens: 60 } },
        'stop',
      ),
    ),
    { text: 'Oslo.', reasoning: 'Hm.', usage: { ...counted, input: 70 } },
  ),
  made(
    'Ollama: arguments as an object, calls that are numbered, and stop after them',
    'chat-completions',
    lineOf(
      'ollama',
      plain(
        {
          content: '',
          reasoning: 'Hm.',
          tool_calls: [0, 1].map((id) => ({ id, function: { name: 'look_up', arguments: { city: 'Oslo' } } })),
        },
        tokens,
        'stop',
      ),
    ),
    { reasoning: 'Hm.', calls: [lookUp, lookUp], usage: counted },
  ),
  made(
    'Together: thinking within the text, which stays there, and eos',
    'chat-completions',
    lineOf('together', plain({ content: '<think>Hm.</think>Oslo.' }, { ...tokens, cached_tokens: 4 }, 'eos')),
    { text: '<think>Hm.</think>Oslo.', usage: { ...counted, cacheRead: 4 } },
  ),
  made(
    'thinkTags: reasoning in tags',
    'chat-completions',
    lineOf('tagged', plain({ content: '<think>Hm.</think>\n\nOslo.' }, tokens, 'stop')),
    { text: 'Oslo.', reasoning: 'Hm.', usage: counted },
  ),
  made(
    'Google: an empty id, and thoughts in the total only',
    'chat-completions',
    lineOf(
      'google',
      plain(
        { tool_calls: [{ id: '', type: 'function', function: called }] },
        { ...tokens, total_tokens: 40 },
        'tool_calls',
      ),
    ),
    { calls: [lookUp], usage: { ...counted, output: 30 } },
  ),
  made(
    'Cloudflare: the object of a structured output',
    'chat-completions',
    lineOf('cloudflare', plain({ content: { city: 'Oslo' } }, tokens, 'stop')),
    { text: '{"city":"Oslo"}', usage: counted },
  ),
];

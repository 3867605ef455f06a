import { countLaws, type Recording } from '../../../../core/testing/index.ts';
import { tokenizeCodec } from '../../../../providers/openai/tokenize/index.ts';

const origin = 'written by hand after vllm/entrypoints/openai/protocol.py';
const answer = { count: 4, max_model_len: 4096, tokens: [1, 15043, 3186, 2], token_strs: null };

const written = (name: string, body: object): Recording => ({
  name,
  origin,
  wire: 'tokenize',
  request: { body },
  response: { status: 200, body: answer },
  expected: { inputTokens: 4 },
});

const recordings: readonly Recording[] = [
  written('a prompt', { model: 'm', prompt: 'Hello world', add_special_tokens: true, return_token_strs: true }),
  written('a conversation', {
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello world' },
    ],
    add_generation_prompt: false,
    chat_template_kwargs: { enable_thinking: false },
    tools: [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } }],
  }),
  {
    name: 'an unknown model',
    origin,
    wire: 'tokenize',
    response: {
      status: 404,
      body: { error: { message: 'The model `x` does not exist.', type: 'NotFoundError', param: null, code: 404 } },
    },
    expected: {
      error: { code: 'upstream_model', failure: 'model-gone', message: 'The model `x` does not exist.' },
    },
  },
];

describe('tokenize: laws', () => {
  const refused = ['stream', 'store', 'user', 'temperature', 'max_tokens'];
  for (const { name, run } of countLaws(tokenizeCodec, recordings, { refused })) it(name, run);
});

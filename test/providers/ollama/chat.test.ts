import { expect } from 'chai';
import type { GenerateRequest, Capabilities } from '../../../core/api/index.ts';
import { foldEvents } from '../../../core/api/codec.ts';
import { createLossList, createProfile, createReadContext, decodeEvents } from '../../../core/testing/index.ts';
import { chatCodec } from '../../../providers/ollama/chat/index.ts';

const { upstream } = chatCodec;
if (upstream === undefined) throw new Error('the codec has no upstream side');

const base: GenerateRequest = {
  wire: 'chat-completions',
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  choices: 1,
  stream: false,
  includeUsage: true,
  extra: { wire: 'chat-completions', members: {} },
};
const write = (changes: Partial<GenerateRequest>, capabilities: Capabilities = {}) => {
  const { losses, lose } = createLossList();
  const { body } = upstream.encodeRequest({ ...base, ...changes }, createProfile('ollama-chat', capabilities), lose);
  return { body, losses: losses.map(({ field, kind }) => `${field} ${kind}`) };
};
const fail = (status: number, error: string) => upstream.decodeError({ status, headers: {}, body: { error } });
const frames = (...lines: readonly object[]) =>
  lines.map((line) => ({ event: undefined, data: JSON.stringify(line), raw: new Uint8Array() }));

describe('the chat codec of Ollama', () => {
  it('an effort of Ollama is sent to models that read one, and turns reasoning on elsewhere', () => {
    const efforts = ['low', 'medium', 'high'];
    expect(write({ reasoning: { effort: 'low' } }, { efforts })).to.deep.include({ losses: [] });
    expect(write({ reasoning: { effort: 'low' } }, { efforts }).body['think']).to.equal('low');
    const { body, losses } = write({ reasoning: { effort: 'low' } });
    expect([body['think'], losses]).to.deep.equal([true, ['reasoning.effort approximated']]);
    expect(write({ reasoning: { effort: 'none' } }).body['think']).to.equal(false);
    expect(write({ reasoning: { budget: 0 } }).body['think']).to.equal(false);
    expect(write({ reasoning: { show: true } }).body).to.not.have.property('think');
  });

  it('settings of a request are options of Ollama, and a schema is its format', () => {
    const schema = { type: 'object' };
    const { body } = write({ maxTokens: 50, seed: 7, stop: ['END'], output: { type: 'schema', schema } });
    expect(body).to.deep.include({ options: { num_predict: 50, seed: 7, stop: ['END'] }, format: schema });
    expect(write({ output: { type: 'json' } }).body['format']).to.equal('json');
  });

  it('log probabilities are requested from Ollama, and read from each line', () => {
    expect(write({ logprobs: 2 }).body).to.deep.include({ logprobs: true, top_logprobs: 2 });
    const body = write({ logprobs: 0 }).body;
    expect(body).to.deep.include({ logprobs: true }).and.not.have.property('top_logprobs');
    const known = (token: string) => ({ token, logprob: -0.5 });
    const tokenOf = (token: string) => ({ ...known(token), bytes: [...Buffer.from(token)] });
    const lineOf = (content: string) => ({
      message: { role: 'assistant', content },
      logprobs: [{ ...tokenOf(content), top_logprobs: [tokenOf('x')] }],
      done: false,
    });
    const end = { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' };
    const { choices } = foldEvents(decodeEvents(chatCodec, frames(lineOf('Pa'), lineOf('ris'), end)));
    expect(choices[0]?.parts).to.deep.equal([
      {
        type: 'text',
        text: 'Paris',
        logprobs: ['Pa', 'ris'].map((token) => ({ ...known(token), top: [known('x')] })),
      },
    ]);
  });

  it('a result has the name and the id of its call at Ollama', () => {
    const { body } = write({
      turns: [
        {
          role: 'assistant',
          parts: [{ type: 'tool-call', id: 'c1', name: 'weather', kind: 'function', input: '{"city":"Rome"}' }],
        },
        {
          role: 'user',
          parts: [{ type: 'tool-result', id: 'c1', failed: false, parts: [{ type: 'text', text: 'sun' }] }],
        },
      ],
    });
    expect(body['messages']).to.deep.equal([
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', function: { name: 'weather', arguments: { city: 'Rome' } } }],
      },
      { role: 'tool', tool_name: 'weather', tool_call_id: 'c1', content: 'sun' },
    ]);
  });

  it('a line of Ollama with an error ends the stream with it', () => {
    const events = decodeEvents(
      chatCodec,
      frames(
        { message: { role: 'assistant', content: 'Par' }, done: false },
        { error: 'an error was encountered while running the model' },
      ),
    );
    const [last] = events.slice(-1);
    expect(last?.type === 'error' ? [last.error.code, last.error.message] : last).to.deep.equal([
      'upstream_error',
      'an error was encountered while running the model',
    ]);
  });

  it('a response of Ollama without counts has no usage, so that it is estimated', () => {
    const line = { message: { role: 'assistant', content: 'Hi' }, done: true, done_reason: 'stop' };
    expect(upstream.decodeResponse(line, createReadContext())).to.not.have.property('usage');
    expect(upstream.decodeResponse({ ...line, eval_count: 4 }, createReadContext()).usage).to.include({
      inputUncached: 0,
      output: 4,
    });
  });

  it('failures of Ollama have the class that failover needs', () => {
    const classes = (
      [
        [404, "model 'llama9' not found"],
        [400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
        [400, '"gemma3:1b" does not support thinking'],
        [400, 'invalid options: num_ctx'],
        [401, 'unauthorized'],
        [429, 'too many requests'],
        [500, 'llama runner process has terminated: exit status 2'],
        [500, 'model requires more system memory (8.4 GiB) than is available (5.6 GiB)'],
        [503, 'server busy, please try again. maximum pending requests exceeded'],
      ] as const
    ).map(([status, message]) => fail(status, message).failure);
    expect(classes).to.deep.equal([
      'model-gone',
      'unsuitable',
      'unsuitable',
      'caller-fault',
      'credential',
      'rate-limit',
      'transient',
      'overloaded',
      'overloaded',
    ]);
    expect(fail(400, 'prompt too long; exceeded max context length by 12 tokens').code).to.equal(
      'context_length_exceeded',
    );
  });
});

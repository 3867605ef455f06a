import { expect } from 'chai';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';

const answer = { count: 4, max_model_len: 4096, tokens: [1, 15043, 3186, 2], token_strs: null, house: 1.0 };
const nothing = { max_model_len: null, tokens: null, token_strs: null };

describe('tokenize', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    const { url } = upstream;
    gateway = await startTestGateway({
      providers: {
        vllm: { use: 'vllm', config: { baseUrl: `${url}/v1/` } },
        below: { use: 'openai-compatible', config: { baseUrl: `${url}/deep/v1`, wires: ['tokenize'] } },
        plain: { use: 'openai-compatible', config: { baseUrl: `${url}/v1` } },
        anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret', baseUrl: url } },
        simulator: { use: 'simulator' },
      },
      models: {
        'm/vllm': { targets: [{ provider: 'vllm', model: 'meta/llama' }] },
        'm/below': { targets: [{ provider: 'below', model: 'm' }] },
        'm/plain': { targets: [{ provider: 'plain', model: 'm' }], price: { input: 1, output: 1 } },
        'm/opened': { targets: [{ provider: 'plain', model: 'm' }], wires: ['chat-completions', 'tokenize'] },
        'm/closed': { targets: [{ provider: 'plain', model: 'm' }], wires: ['chat-completions'] },
        'm/claude': { targets: [{ provider: 'anthropic', model: 'claude-opus-4-1' }] },
        'm/sim': { targets: [{ provider: 'simulator', model: 'chat' }] },
        'm/chain': {
          targets: [
            { provider: 'vllm', model: 'a' },
            { provider: 'anthropic', model: 'claude-opus-4-1' },
          ],
        },
      },
      plugins: [{ use: 'auth' }, { use: 'failover' }],
    });
  });
  beforeEach(() => {
    upstream.calls.length = 0;
    upstream.answer = (response, { path }) =>
      answerJson(response, path.endsWith('count_tokens') ? { input_tokens: 21 } : answer);
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });
  const post = (body: string | object, path = '/tokenize'): Promise<Response> =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: {
        'authorization': `Bearer ${KEY}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const lastCall = (): UpstreamCall => {
    const call = upstream.calls.at(-1);
    if (call === undefined) throw new Error('the provider was not called');
    return call;
  };
  const lossesOf = (reply: Response): string => reply.headers.get('x-koine-losses') ?? '';

  it('reaches vLLM as it was sent, beside /v1, and comes back byte for byte', async () => {
    for (const rest of ['"prompt":"Hello world"', '"messages":[{"role":"user","content":"Hello world"}]']) {
      const body = `{ ${rest}, "model":"m/vllm","seed":12345678901234567890}`;
      const reply = await post(body);
      expect(await reply.text()).to.equal(JSON.stringify(answer));
      expect(reply.headers.get('x-koine-lane')).to.equal('native');
      expect(reply.headers.get('x-koine-estimated')).to.equal(null);
      expect(lastCall()).to.deep.include({ path: '/tokenize' });
      expect(lastCall().raw.toString()).to.equal(body.replace('"m/vllm"', '"meta/llama"'));
    }
    await post({ model: 'm/below', prompt: 'Hello' });
    expect(lastCall().path).to.equal('/deep/tokenize');
  });

  it('is free, and is recorded as a count', async () => {
    await post({ model: 'm/plain', prompt: 'Hello world' });
    await gateway.settled(Math.max(1, gateway.exchanges().length));
    expect(gateway.exchanges().at(-1)).to.deep.include({
      operation: 'count-tokens',
      wire_in: 'tokenize',
      status: 200,
    });
  });

  it('is estimated for a target that generates and does not count, which a header names', async () => {
    for (const model of ['m/plain', 'm/opened']) {
      const reply = await post({ model, prompt: 'Hello world, once more', return_token_strs: true });
      const { count, ...rest } = (await reply.json()) as { count: number };
      expect(count).to.be.within(4, 40);
      expect(rest).to.deep.equal(nothing);
      expect(reply.headers.get('x-koine-estimated')).to.equal('input_tokens');
      expect(lossesOf(reply)).to.match(/tokens.*max_model_len.*token_strs/);
    }
    expect(upstream.calls).to.have.lengthOf(0);
    const closed = await post({ model: 'm/closed', prompt: 'Hello' });
    expect([closed.status, await closed.text()].join(' ')).to.match(/^400 .*not offered on the wire 'tokenize'/);
  });

  it('is counted by a vendor that counts in its own wire, the prompt and the conversation', async () => {
    for (const input of [{ prompt: 'Hello' }, { messages: [{ role: 'user', content: 'Hello' }] }]) {
      const reply = await post({ model: 'm/claude', ...input });
      expect(await reply.json()).to.deep.equal({ count: 21, ...nothing });
      expect(reply.headers.get('x-koine-estimated')).to.equal(null);
      expect(lossesOf(reply)).to.match(/tokens/);
      expect(lastCall()).to.deep.include({ path: '/v1/messages/count_tokens' });
      expect(JSON.stringify(lastCall().body['messages'])).to.include('Hello');
    }
  });

  it('counts exactly for clients of other wires at a server that has it', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const reply = await post({ model: 'm/vllm', system: 'Be brief.', messages }, '/v1/messages/count_tokens');
    expect(await reply.json()).to.deep.equal({ input_tokens: 4 });
    expect(lastCall()).to.deep.include({
      path: '/tokenize',
      body: { model: 'meta/llama', messages: [{ role: 'system', content: 'Be brief.' }, ...messages] },
    });
  });

  it('tries the next target, and refuses by name what is no prompt', async () => {
    upstream.answer = (response, { path }) =>
      path === '/tokenize'
        ? answerJson(response, { error: { message: 'busy' } }, 503)
        : answerJson(response, { input_tokens: 7 });
    expect(await (await post({ model: 'm/chain', prompt: 'Hi' })).json()).to.deep.include({ count: 7 });
    for (const [body, param] of [
      [{}, 'prompt'],
      [{ prompt: 7 }, 'prompt'],
      [{ prompt: 'a', messages: [] }, 'prompt'],
      [{ messages: 'a' }, 'messages'],
    ] as const) {
      const reply = await post({ model: 'm/vllm', ...body });
      expect(reply.status, JSON.stringify(body)).to.equal(400);
      expect(((await reply.json()) as { error: object }).error).to.include({ param });
    }
  });

  it('is answered by the simulator', async () => {
    const { count } = (await (await post({ model: 'm/sim', prompt: 'Good morning' })).json()) as { count: number };
    expect(count).to.be.greaterThan(1);
  });
});

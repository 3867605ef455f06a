import { expect } from 'chai';
import { BadRequestError, type OpenAI } from 'openai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, answerSse, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';

const INSTRUCT = 'openai/gpt-3.5-turbo-instruct';
const head = { id: 'cmpl-1', object: 'text_completion', created: 1, model: 'gpt-3.5-turbo-instruct:20230824-v2' };
const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };
const completion = {
  ...head,
  choices: [{ text: '\n\nHi.', index: 0, logprobs: null, finish_reason: 'stop' }],
  usage,
};
const chunk = (choices: readonly object[], counts: object | null = null): string =>
  `data: ${JSON.stringify({ ...head, choices, usage: counts })}\n\n`;
const text = (value: string, reason: string | null = null): object => ({
  text: value,
  index: 0,
  logprobs: null,
  finish_reason: reason,
});
const texts = [chunk([text('\n\n')]), chunk([text('Hi.')]), chunk([text('', 'stop')])];
const DONE = 'data: [DONE]\n\n';

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Good day.' }],
  stop_reason: 'max_tokens',
  usage: { input_tokens: 4, output_tokens: 3 },
};
const chat = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }],
  usage,
};

describe('completions', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let openai: OpenAI;
  before(async () => {
    upstream = await startUpstream();
    const baseUrl = `${upstream.url}/v1`;
    const targets = (provider: string, model: string) => ({ targets: [{ provider, model }] });
    gateway = await startTestGateway({
      providers: {
        openai: { use: 'openai', config: { apiKey: 'upstream-secret', baseUrl } },
        anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } },
        local: { use: 'openai-compatible', config: { baseUrl, wires: ['chat-completions', 'completions'] } },
        plain: { use: 'openai-compatible', config: { baseUrl } },
        simulator: { use: 'simulator' },
      },
      models: {
        [INSTRUCT]: targets('openai', 'gpt-3.5-turbo-instruct'),
        'openai/gpt-4o': targets('openai', 'gpt-4o'),
        'anthropic/claude': targets('anthropic', 'claude-sonnet-4-5'),
        'local/base': targets('local', 'base'),
        'plain/chat': targets('plain', 'chat'),
        'simulator/chat': targets('simulator', 'chat'),
      },
    });
    openai = createChatClient(gateway.url);
  });
  beforeEach(() => {
    upstream.calls.length = 0;
    upstream.answer = (response, { path, body }) => {
      if (path === '/v1/messages') return answerJson(response, message);
      if (path === '/v1/chat/completions') return answerJson(response, chat);
      if (body['stream'] === true) return answerSse(response, [...texts, chunk([], usage), DONE].join(''));
      return answerJson(response, completion);
    };
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });
  const lastCall = (): UpstreamCall => {
    const call = upstream.calls.at(-1);
    if (call === undefined) throw new Error('the provider was not called');
    return call;
  };
  const post = (body: string | object, path = '/v1/completions'): Promise<Response> =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  describe('at a vendor with this wire', () => {
    it('are sent as they came, and come back byte for byte', async () => {
      const body = `{ "prompt":["Hello"], "model":"${INSTRUCT}","echo":true, "logprobs":5,"seed":12345678901234567890}`;
      const reply = await post(body);
      expect(await reply.text()).to.equal(JSON.stringify(completion));
      expect(reply.headers.get('x-koine-lane')).to.equal('native');
      expect(lastCall().path).to.equal('/v1/completions');
      expect(lastCall().raw.toString()).to.equal(body.replace(INSTRUCT, 'gpt-3.5-turbo-instruct'));
    });

    it('are streamed byte for byte, without the usage that was not asked for', async () => {
      const reply = await post({ model: INSTRUCT, prompt: [[9906, 0]], stream: true });
      expect(await reply.text()).to.equal([...texts, DONE].join(''));
      expect(lastCall().body).to.deep.include({ prompt: [[9906, 0]], stream_options: { include_usage: true } });
      await gateway.settled(gateway.exchanges().length);
      expect(gateway.exchanges().at(-1)).to.deep.include({ operation: 'generate', tokens_in: 5, tokens_out: 3 });
    });

    it('have their usage in the stream of a client that asked for it', async () => {
      const stream = {
        model: INSTRUCT,
        prompt: 'Hello',
        stream: true,
        stream_options: { include_usage: true },
      } as const;
      const seen: unknown[] = [];
      for await (const part of await openai.completions.create(stream)) seen.push(part.usage);
      expect(seen).to.deep.equal([null, null, null, usage]);
    });

    it('reach a compatible server that lists the wire', async () => {
      await openai.completions.create({ model: 'local/base', prompt: 'Hello', suffix: '!' });
      expect(lastCall()).to.deep.include({
        path: '/v1/completions',
        body: { model: 'base', prompt: 'Hello', suffix: '!' },
      });
    });

    it('report a stream that breaks off, and an error in a chunk', async () => {
      upstream.answer = (response) => answerSse(response, texts.slice(0, 2).join(''));
      expect(await (await post({ model: INSTRUCT, prompt: 'a', stream: true })).text()).to.match(/"error":.*\n\n$/);
      upstream.answer = (response) =>
        answerSse(response, `data: ${JSON.stringify({ error: { message: 'Overloaded', type: 'server_error' } })}\n\n`);
      expect((await post({ model: INSTRUCT, prompt: 'a', stream: true })).status).to.be.within(500, 599);
    });

    it('take one message of a client that chats, and refuse a conversation by name', async () => {
      const user = { role: 'user', content: 'Hello' } as const;
      const { choices } = await openai.chat.completions.create({ model: INSTRUCT, messages: [user], max_tokens: 9 });
      expect(choices[0]?.message.content).to.equal('\n\nHi.');
      expect(lastCall().body).to.deep.equal({ model: 'gpt-3.5-turbo-instruct', prompt: 'Hello', max_tokens: 9 });
      const system = { role: 'system', content: 'Be brief.' } as const;
      const refused = await openai.chat.completions
        .create({ model: INSTRUCT, messages: [system, user] })
        .catch((error: unknown) => error);
      expect(refused)
        .to.be.instanceOf(BadRequestError)
        .and.match(/completes one text/);
    });
  });

  describe('at a vendor that chats', () => {
    it('are the message of a user, and the text is the completion', async () => {
      const reply = await post({ model: 'anthropic/claude', prompt: ['Hello'], max_tokens: 7, stop: '.', user: 'u' });
      const body = (await reply.json()) as object;
      expect(body).to.deep.include({ object: 'text_completion', model: 'claude-sonnet-4-5' });
      expect(body).to.have.deep.property('choices', [
        { text: 'Good day.', index: 0, logprobs: null, finish_reason: 'length' },
      ]);
      expect(body).to.have.nested.property('usage.total_tokens', 7);
      expect(lastCall().body).to.deep.include({
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
        max_tokens: 7,
        stop_sequences: ['.'],
      });
    });

    it('name what is lost', async () => {
      const reply = await post({ model: 'openai/gpt-4o', prompt: 'Hello', logit_bias: { 7: 1 } });
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('x-koine-losses')).to.match(/logit_bias/);
      expect(lastCall().path).to.equal('/v1/chat/completions');
    });

    it('refuse by name what must not be left out', async () => {
      const refusals: readonly (readonly [param: string, members: object])[] = [
        ['suffix', { prompt: 'a', suffix: 'z' }],
        ['echo', { prompt: 'a', echo: true }],
        ['prompt', { prompt: [1, 2, 3] }],
        ['prompt', { prompt: [[1, 2], [3]] }],
        ['prompt', { prompt: ['a', 'b'] }],
      ];
      for (const model of ['openai/gpt-4o', 'anthropic/claude', 'plain/chat'])
        for (const [param, members] of refusals) {
          const reply = await post({ model, ...members });
          expect(reply.status).to.equal(400);
          expect(await reply.json(), `${model} ${param}`).to.have.nested.property('error.param', param);
        }
      expect(upstream.calls).to.have.lengthOf(0);
    });

    it('refuse what is no prompt, on every target', async () => {
      for (const [param, members] of [
        ['prompt', {}],
        ['prompt', { prompt: [] }],
        ['prompt', { prompt: 7 }],
        ['prompt[1]', { prompt: ['a', 7] }],
        ['best_of', { prompt: 'a', best_of: 3 }],
      ] as const)
        expect(await (await post({ model: INSTRUCT, ...members })).json()).to.have.nested.property(
          'error.param',
          param,
        );
    });

    it('are streamed by the simulator, plain and with usage', async () => {
      const plain = await openai.completions.create({ model: 'simulator/chat', prompt: 'Good morning' });
      const seen: string[] = [];
      let counted: unknown;
      const options = { stream: true, stream_options: { include_usage: true } } as const;
      for await (const part of await openai.completions.create({
        model: 'simulator/chat',
        prompt: 'Good morning',
        ...options,
      })) {
        seen.push(part.choices[0]?.text ?? '');
        counted = part.usage ?? counted;
      }
      expect(seen.join(''))
        .to.equal(plain.choices[0]?.text)
        .and.match(/^You said: Good morning/);
      expect(counted).to.deep.equal(plain.usage);
    });
  });
});

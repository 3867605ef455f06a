import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'chai';
import OpenAI from 'openai';
import { definePlugin, GatewayError, type Draft, type Rewrite } from '../../core/api/index.ts';
import { builtIns, KEY } from '../support/gateway.ts';
import { CHAT, MESSAGES, sceneModels, startScene, type Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { answerJson } from '../support/upstream.ts';

type Hook = (draft: Draft) => Rewrite | undefined | Promise<Rewrite | undefined>;
let first: Hook = () => undefined;
let second: Hook = () => undefined;
const pluginOf = (name: string, hook: Hook) =>
  definePlugin({ kind: 'plugin', apiVersion: 1, name, schema: { type: 'object' }, create: () => ({ rewrite: hook }) });
const extensions = {
  ...builtIns,
  plugin: {
    ...builtIns.plugin,
    first: pluginOf('first', (draft) => first(draft)),
    second: pluginOf('second', (draft) => second(draft)),
  },
};

const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
};
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 5, output_tokens: 2 },
};
const own = 'own-key-0123456789abcdef';

describe('the rewrite hook', () => {
  let scene: Scene;
  before(async () => {
    const keys = { alice: { key: KEY }, bob: { key: own, models: [CHAT] } };
    scene = await startScene(
      {
        plugins: [{ use: 'auth' }, { use: 'first' }, { use: 'second' }],
        organizations: { acme: { projects: { web: { keys } } } },
        models: {
          ...sceneModels,
          'both/model': {
            wires: ['chat-completions', 'messages'],
            targets: [
              { provider: 'openai', model: 'gpt-4.1', wire: 'chat-completions' },
              { provider: 'anthropic', model: 'claude-sonnet-4-5' },
            ],
          },
        },
      },
      extensions,
    );
    scene.upstream.answer = (response, { path }) =>
      answerJson(response, path.endsWith('/messages') ? message : completion);
  });
  beforeEach(() => {
    [first, second] = [() => undefined, () => undefined];
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop(/a plugin failed/));

  const chat = (body: object = {}, key = KEY) =>
    new OpenAI({ apiKey: key, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 }).chat.completions
      .create({ model: CHAT, messages: [{ role: 'user', content: 'Hi' }], ...body })
      .withResponse();
  const refusal = (call: Promise<unknown>): Promise<{ readonly status: number; readonly message: string }> =>
    call.then(
      () => Promise.reject(new Error('The request was not refused.')),
      (error: unknown) => error as { readonly status: number; readonly message: string },
    );
  const sent = () => scene.upstream.calls[0]?.body ?? {};
  const lineOf = async (response: Response): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const id = response.headers.get('x-request-id');
    const find = () => scene.gateway.exchanges().find(({ request_id }) => request_id === id);
    await until('its line', () => find() !== undefined);
    return find();
  };

  it('a plugin chooses the model, and the log keeps the one that the client named', async () => {
    first = ({ model, caller }) => (model === 'team' ? { model: CHAT } : { model: `${caller.key}/none` });
    const { response } = await chat({ model: 'team' });
    expect(response.headers.get('x-koine-model')).to.equal(CHAT);
    expect(response.headers.get('x-koine-lane')).to.equal('native');
    expect(sent()['model']).to.equal('gpt-4.1');
    expect(await lineOf(response)).to.include({ model_requested: 'team', model: CHAT });
  });

  it('the key must be allowed to use the model that a plugin chooses', async () => {
    first = () => ({ model: MESSAGES });
    expect((await refusal(chat({}, own))).status).to.equal(404);
    first = () => ({ model: CHAT });
    expect((await chat({ model: MESSAGES }, own)).response.status).to.equal(200);
  });

  it('a changed setting is spliced into the bytes of the client', async () => {
    first = ({ request }) => ({ request: { ...request, temperature: 0.5, maxTokens: 9 } as Draft['request'] });
    const { response } = await chat({ temperature: 1.5, max_completion_tokens: 100, odd_member: { kept: [1] } });
    expect(response.headers.get('x-koine-lane')).to.equal('native');
    expect(sent()).to.deep.include({ temperature: 0.5, max_completion_tokens: 9, odd_member: { kept: [1] } });
  });

  it('a setting that another member overrides is changed on the translated lane', async () => {
    first = ({ request }) => ({ request: { ...request, maxTokens: 9 } as Draft['request'] });
    const { response } = await chat({ max_tokens: 100 });
    expect(JSON.stringify(sent())).to.contain(':9').and.not.contain(':100');
    expect(response.headers.get('x-koine-lane')).to.be.oneOf(['native', 'translated']);
  });

  it('changed turns are sent on the translated lane, with what the wire alone knows', async () => {
    first = ({ request }) =>
      'turns' in request
        ? {
            request: {
              ...request,
              turns: [{ role: 'system', parts: [{ type: 'text', text: 'Be polite.' }] }, ...request.turns],
            },
          }
        : undefined;
    const { response, data } = await chat({ odd_member: 1 });
    expect(response.headers.get('x-koine-lane')).to.equal('translated');
    expect(sent()['messages']).to.deep.equal([
      { role: 'system', content: 'Be polite.' },
      { role: 'user', content: 'Hi' },
    ]);
    expect(sent()).to.include({ odd_member: 1 });
    expect(data.choices[0]?.message.content).to.equal('Hello');
  });

  it('a changed body is sent on the native lane, and on another wire, and the other bytes are those of the client', async () => {
    first = ({ inbound }) => ({ body: { ...(inbound.body as object), messages: [{ role: 'user', content: 'Bye' }] } });
    for (const model of [CHAT, MESSAGES]) {
      scene.upstream.calls.length = 0;
      const { response } = await chat({ model, odd_member: 1 });
      expect(response.headers.get('x-koine-lane')).to.equal(model === CHAT ? 'native' : 'translated');
      expect(JSON.stringify(sent()['messages'])).to.include('Bye').and.to.not.include('Hi');
    }
  });

  it('a later plugin sees the changed body, and a body after changed turns is refused', async () => {
    const seen: unknown[] = [];
    first = ({ inbound }) => ({ body: { ...(inbound.body as object), temperature: 0.5 } });
    second = ({ request, isRewritten }) => {
      seen.push('temperature' in request && request.temperature, isRewritten);
      return undefined;
    };
    await chat();
    expect(seen).to.deep.equal([0.5, undefined]);
    first = ({ request }) => ('turns' in request ? { request: { ...request, turns: [...request.turns] } } : undefined);
    second = ({ inbound, isRewritten }) => {
      seen.push(isRewritten);
      return { body: { ...(inbound.body as object), temperature: 0.5 } };
    };
    expect((await refusal(chat())).status).to.equal(500);
    expect(seen.at(-1)).to.equal(true);
  });

  it('a plugin sees the changes of those before it, synchronous or not', async () => {
    first = () => Promise.resolve({ model: 'step' });
    second = ({ model, request }) => ({
      model: model === 'step' ? CHAT : 'none',
      request: { ...request, temperature: 0.25 } as Draft['request'],
    });
    await chat({ model: 'x' });
    expect(sent()).to.include({ model: 'gpt-4.1', temperature: 0.25 });
  });

  it('a plugin limits the providers of a request, on two wires', async () => {
    first = () => ({ model: 'both/model', route: { providers: ['anthropic'] } });
    const { response, data } = await chat();
    expect(response.headers.get('x-koine-provider')).to.equal('anthropic');
    expect(data.choices[0]?.message.content).to.equal('Hello');
    const claude = new Anthropic({ apiKey: KEY, baseURL: scene.gateway.url, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    const answer = await claude.messages.create({ model: 'x', max_tokens: 9, messages });
    expect(answer.content[0]).to.include({ text: 'Hello' });
    first = () => ({ route: { providers: ['google'] } });
    scene.upstream.calls.length = 0;
    expect((await refusal(chat())).status).to.equal(503);
    expect(scene.upstream.calls).to.have.length(0);
  });

  it('a plugin makes the loss policy stricter', async () => {
    first = () => ({ model: MESSAGES, route: { losses: 'reject' } });
    expect((await refusal(chat({ logit_bias: { 1: 1 } }))).status).to.equal(400);
    expect(scene.upstream.calls).to.have.length(0);
  });

  it('a plugin refuses a request in the wire of the client', async () => {
    first = () => {
      throw new GatewayError('permission_denied', 'No prompts about the weather.');
    };
    const { status, message: text } = await refusal(chat());
    expect([status, text]).to.deep.equal([403, '403 No prompts about the weather.']);
  });

  it('a result of the wrong shape refuses the request and names the plugin in the log', async () => {
    const wrongs = [{ model: 7 }, { model: '' }, { request: { stream: true } }, { route: 'eu' }, { body: [] }, 'no'];
    const before = scene.gateway.lines.length;
    for (const wrong of wrongs) {
      first = () => wrong as never;
      expect((await refusal(chat())).status, JSON.stringify(wrong)).to.equal(500);
    }
    const failures = scene.gateway.lines.slice(before).filter(({ text }) => text === 'a plugin failed');
    expect(failures).to.have.length(wrongs.length);
    expect(failures[0]?.fields).to.include({ plugin: 'first', hook: 'rewrite' });
  });
});

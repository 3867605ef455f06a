import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'chai';
import { definePlugin, GatewayError, type Answer, type Exchange, type PluginInstance } from '../../core/api/index.ts';
import { createTestTarget } from '../../core/testing/index.ts';
import { builtIns, KEY } from '../support/gateway.ts';
import { MESSAGES, startScene, type Scene } from '../support/scene.ts';
import { say } from './guarded-upstream.ts';

type Hook = NonNullable<PluginInstance['answer']>;
let first: Hook = () => undefined;
let second: Hook = () => undefined;
const pluginOf = (name: string, answer: Hook) =>
  definePlugin({ kind: 'plugin', apiVersion: 1, name, schema: { type: 'object' }, create: () => ({ answer }) });
const extensions = {
  ...builtIns,
  plugin: {
    ...builtIns.plugin,
    first: pluginOf('first', (exchange) => first(exchange)),
    second: pluginOf('second', (exchange) => second(exchange)),
  },
};

const answerOf = ({ targets: [target = createTestTarget('a/b')] }: Exchange, text: string): Answer => ({
  target,
  lane: 'translated',
  losses: [],
  contentType: 'application/json',
  body: JSON.stringify({
    id: 'msg_own',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 5, output_tokens: 2 },
  }),
  headers: { 'x-own': 'yes' },
});

describe('the answer hook', () => {
  let scene: Scene;
  before(async () => {
    const plugins = [{ use: 'auth' }, { use: 'first' }, { use: 'second', onError: 'skip' }];
    scene = await startScene({ plugins }, extensions);
    scene.upstream.answer = (response, call) => say({ text: ['Upstream.'] }, response, call);
  });
  beforeEach(() => {
    [first, second] = [() => undefined, () => undefined];
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop(/a plugin failed|an exchange failed/));

  const ask = async () => {
    const client = new Anthropic({ apiKey: KEY, baseURL: scene.gateway.url, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    const { data, response } = await client.messages
      .create({ model: MESSAGES, max_tokens: 50, messages })
      .withResponse();
    const [block] = data.content;
    return { text: block?.type === 'text' ? block.text : '', own: response.headers.get('x-own') };
  };
  const statusOf = (): Promise<number> =>
    ask().then(
      () => 200,
      (error: { readonly status: number }) => error.status,
    );

  it('answers in place of an upstream, and the first answer wins', async () => {
    first = (exchange) => Promise.resolve(answerOf(exchange, 'First.'));
    second = (exchange) => answerOf(exchange, 'Second.');
    expect(await ask()).to.deep.equal({ text: 'First.', own: 'yes' });
    expect(scene.upstream.calls).to.deep.equal([]);
  });

  it('a plugin without an answer leaves the request to the upstream', async () => {
    expect(await ask()).to.deep.equal({ text: 'Upstream.', own: null });
  });

  it('can refuse, and a failure is a 500 or is skipped', async () => {
    first = () => {
      throw new GatewayError('permission_denied', 'Not today.');
    };
    expect(await statusOf()).to.equal(403);
    first = () => Promise.reject(new Error('it broke'));
    expect(await statusOf()).to.equal(500);
    first = () => undefined;
    second = () => Promise.reject(new Error('it broke'));
    expect(await ask()).to.deep.equal({ text: 'Upstream.', own: null });
  });

  it('an answer of another shape, or from a target that the exchange may not use, is a failure', async () => {
    first = (exchange) => ({ ...answerOf(exchange, 'x'), target: createTestTarget('other/model') });
    expect(await statusOf()).to.equal(500);
    first = (exchange) => ({ ...answerOf(exchange, 'x'), body: 5 }) as unknown as Answer;
    expect(await statusOf()).to.equal(500);
    const messages = scene.gateway.lines
      .filter(({ text }) => text === 'a plugin failed')
      .map(({ fields }) => String(fields['error']));
    expect(messages.slice(-2)).to.deep.equal([
      'Error: it returned an answer whose target is none of the exchange',
      'Error: it returned an answer whose body is a number',
    ]);
  });
});

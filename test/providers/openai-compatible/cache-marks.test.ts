import { expect } from 'chai';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { textOf } from '../../matrix/vendors/vendors.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { everyWire, startScene, type Scene } from '../../support/scene.ts';

const hour = { type: 'ephemeral', ttl: '1h' };
const minutes = { type: 'ephemeral' };
const question = {
  max_tokens: 100,
  system: [{ type: 'text', text: 'Be brief.', cache_control: hour }],
  tools: [{ name: 'look', input_schema: { type: 'object' }, cache_control: hour }],
  messages: [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Seen.', cache_control: minutes },
        { type: 'text', text: 'Go on.', cache_control: minutes },
      ],
    },
  ],
};

describe('cache marks of clients of the messages wire, at targets that chat', () => {
  let scene: Scene;
  before(async () => {
    const names = ['anthropic/claude-sonnet-4.5', 'google/gemini-2.5-flash', 'meta-llama/llama-4'];
    const entryOf = (provider: string, model: string) => [
      `${provider}/${model.split('/')[0]}`,
      { wires: everyWire, targets: [{ provider, model, wire: 'chat-completions' }] },
    ];
    scene = await startScene(
      { models: Object.fromEntries([...names.map((name) => entryOf('openrouter', name)), entryOf('groq', 'llama')]) },
      undefined,
      (url) =>
        Object.fromEntries(
          ['openrouter', 'groq'].map((use) => [use, { use, config: { apiKey: 'k', baseUrl: `${url}/v1` } }]),
        ),
    );
    scene.upstream.answer = (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(textOf('chat', 'plain', goodDay));
  });
  after(() => scene.stop());

  const ask = (model: string, more: object = {}): Promise<HttpReply> =>
    send(scene.gateway.url, { path: '/v1/messages', body: JSON.stringify({ model, ...question, ...more }) });
  const marksOf = () => {
    const marks: unknown[] = [];
    JSON.stringify(scene.upstream.calls.at(-1)?.body, (name, value: unknown) => {
      if (name === 'cache_control') marks.push(value);
      return value;
    });
    return marks;
  };

  it('reach Claude at OpenRouter as they are, on tools, on results and on texts', async () => {
    const { status, text, headers } = await ask('openrouter/anthropic');
    expect(status, text).to.equal(200);
    expect(headers['x-koine-lane']).to.equal('translated');
    expect(marksOf()).to.deep.equal([hour, minutes, minutes, hour]);
    expect(String(headers['x-koine-losses'])).to.not.include('cache');
    expect(scene.upstream.calls.at(-1)?.body['messages']).to.deep.include({
      role: 'user',
      content: [{ type: 'text', text: 'Go on.', cache_control: minutes }],
    });
  });

  it('reach Gemini at OpenRouter with its only lifetime, which is named as an approximation', async () => {
    const { headers } = await ask('openrouter/google');
    expect(marksOf()).to.deep.equal([minutes, minutes, minutes, minutes]);
    expect(String(headers['x-koine-losses'])).to.match(/cache_control[^,]*approximated/);
  });

  for (const model of ['openrouter/meta-llama', 'groq/llama'])
    it(`are left out for ${model}, which has none, and named as a loss`, async () => {
      const { headers } = await ask(model);
      expect(marksOf()).to.deep.equal([]);
      expect(String(headers['x-koine-losses'])).to.include('cache_control');
    });
});

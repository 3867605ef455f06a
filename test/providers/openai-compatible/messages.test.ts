import { expect } from 'chai';
import type { Endpoint } from '../../../core/api/index.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { textOf } from '../../matrix/vendors/vendors.ts';
import type { Json } from '../../matrix/wires.ts';
import { presets } from '../../../providers/openai-compatible/presets/index.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { everyWire, startScene, type Scene } from '../../support/scene.ts';

/** The address of the messages wire, as each vendor documents it. */
const addresses: Readonly<Record<string, string>> = {
  deepseek: 'https://api.deepseek.com/anthropic/v1/messages',
  moonshot: 'https://api.moonshot.ai/anthropic/v1/messages',
  openrouter: 'https://openrouter.ai/api/v1/messages',
  zai: 'https://api.z.ai/api/anthropic/v1/messages',
};
const thought = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' };
const question: Json = {
  max_tokens: 100,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: [thought, { type: 'text', text: 'Hi.' }] },
    { role: 'user', content: 'Go on.' },
  ],
  thinking: { type: 'enabled', budget_tokens: 2_000 },
};

const call = {
  model: 'm',
  stream: false,
  body: Buffer.from('{}'),
  headers: {},
  credential: 'key-1',
  signal: new AbortController().signal,
};
const endpointOf = async (use: string, settings: Json): Promise<Endpoint> => {
  const definition = await presets[use]?.();
  if (definition === undefined) throw new Error(`There is no preset ${use}.`);
  return (await definition.create({ apiKey: 'k', ...settings }, undefined as never)).endpoint('m');
};

describe('vendors with an endpoint in the shape of Anthropic', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene(
      {
        models: Object.fromEntries(
          Object.keys(addresses).map((use) => [
            `${use}/m`,
            { wires: everyWire, targets: [{ provider: use, model: 'm' }] },
          ]),
        ),
      },
      undefined,
      (url) =>
        Object.fromEntries(
          Object.keys(addresses).map((use) => [
            use,
            {
              use,
              config: {
                apiKey: 'upstream-secret',
                baseUrl: `${url}/v1`,
                messagesUrl: `${url}/anthropic/v1`,
                wires: ['chat-completions', 'messages'],
              },
            },
          ]),
        ),
    );
    scene.upstream.answer = (response, { path, body }) => {
      const streamed = body['stream'] === true;
      response
        .writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
        .end(textOf(path.endsWith('/messages') ? 'messages' : 'chat', streamed ? 'streamed' : 'plain', goodDay));
    };
  });
  after(() => scene.stop());

  const ask = (use: string, more: Json = {}): Promise<HttpReply> =>
    send(scene.gateway.url, {
      path: '/v1/messages',
      body: JSON.stringify({ model: `${use}/m`, ...question, ...more }),
    });
  const last = () => scene.upstream.calls.at(-1);

  for (const [use, address] of Object.entries(addresses)) {
    it(`${use} is called at ${address}, with its key`, async () => {
      const { wires } = await endpointOf(use, {});
      const request = await wires.find(({ wire }) => wire === 'messages')?.buildRequest(call);
      expect(`${request?.origin}${request?.path}`).to.equal(address);
      expect(request?.headers['authorization']).to.equal('Bearer k');
    });

    it(`${use} at another address calls no address of the vendor`, async () => {
      const { wires } = await endpointOf(use, { baseUrl: 'http://127.0.0.1:9/v1' });
      const requests = await Promise.all(wires.map(({ buildRequest }) => buildRequest(call)));
      expect([...new Set(requests.map(({ origin }) => origin))]).to.deep.equal(['http://127.0.0.1:9']);
    });

    for (const stream of [false, true])
      it(`${use} gets thinking, signatures and marks as they are, ${stream ? 'streamed' : 'plain'}`, async () => {
        const { status, headers, text } = await ask(use, { stream });
        expect(status, text).to.equal(200);
        expect(headers['x-koine-lane']).to.equal('native');
        expect(last()?.path).to.equal('/anthropic/v1/messages');
        expect(last()?.body).to.deep.include({ ...question, model: 'm' });
      });

    it(`${use} gets what only Anthropic does as a translation, which refuses or adapts it`, async () => {
      const refused = await ask(use, { safeguards: [{ type: 'a' }] });
      expect([refused.status, refused.text.includes("'safeguards'")], refused.text).to.deep.equal([400, true]);
      const search = { type: 'web_search_20250305', name: 'web_search' };
      const hosted = await ask(use, { tools: [search] });
      expect(hosted.status, hosted.text).to.equal(400);
    });
  }
});

import { expect } from 'chai';
import { definePlugin, toGatewayError } from '../../../core/api/index.ts';
import type { BuiltIns } from '../../../core/extensions/extension.ts';
import { builtIns } from '../../support/gateway.ts';
import { pluginsWith } from '../../support/failover-scene.ts';
import { callOf } from '../../support/calls.ts';
import { goodHeaders, readError, send, type HttpReply } from '../../support/http.ts';
import { MESSAGES, RESPONSES, startScene, type Scene } from '../../support/scene.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import type { Json, Wire } from '../../matrix/wires.ts';
import { createStoringVendor, secretOf, type StoringVendor } from './storing-vendor.ts';

const keys = {
  web: 'web-key-0123456789abcdef',
  sibling: 'sibling-key-0123456789abcdef',
  shop: 'shop-key-0123456789abcdef',
  trusting: 'trusting-key-0123456789abcdef',
  strict: 'strict-key-0123456789abcdef',
};
const organizations = {
  acme: {
    projects: {
      web: {
        keys: {
          web: { key: keys.web },
          sibling: { key: keys.sibling },
          strict: { key: keys.strict, vendorState: 'refuse' },
        },
      },
      shop: { keys: { shop: { key: keys.shop }, trusting: { key: keys.trusting, vendorState: 'allow' } } },
    },
  },
};

const MINI = 'openai/small';
const BOTH = 'house/both';

/** A strategy that knows nothing of stored objects: it tries everything, the last credential first. */
const stubborn = definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'stubborn',
  schema: { type: 'object' },
  create: () => ({
    strategy: async ({ targets }, attempt) => {
      let failure: unknown;
      for (const target of targets.toReversed())
        for (const credential of target.credentials.toReversed()) {
          try {
            return await attempt(target, credential);
          } catch (error) {
            if (failure === undefined || toGatewayError(error).failure !== 'unsuitable') failure = error;
          }
        }
      throw failure;
    },
  }),
});
const extensions: BuiltIns = { ...builtIns, plugin: { ...builtIns.plugin, stubborn } };

for (const [title, plugins] of [
  ['with failover', pluginsWith({})],
  ['without failover', [{ use: 'auth' }]],
  ['with a strategy that tries everything', [{ use: 'auth' }, { use: 'stubborn' }]],
] as const) {
  describe(`objects stored at a vendor, ${title}`, () => {
    let scene: Scene;
    let upstream: TestUpstream;
    let vendor: StoringVendor;
    before(async () => {
      upstream = await startUpstream();
      const config = { baseUrl: `${upstream.url}/v1`, apiKeys: ['upstream-secret-1', 'upstream-secret-2'] };
      const over = (provider: string, model: string): object => ({ provider, model, wire: 'responses' });
      const settings = {
        organizations,
        plugins,
        providers: {
          openai: { use: 'openai', config },
          other: { use: 'openai', config: { ...config, apiKeys: ['upstream-secret-3'] } },
          anthropic: { use: 'anthropic', config: { ...config, baseUrl: upstream.url } },
        },
        models: {
          [RESPONSES]: { wires: ['responses'], targets: [over('openai', 'gpt-4.1-mini')] },
          [MINI]: { wires: ['responses'], targets: [over('openai', 'gpt-4.1-nano')] },
          'other/talk': { wires: ['responses'], targets: [over('other', 'gpt-4.1')] },
          [BOTH]: { wires: ['responses'], targets: [over('openai', 'gpt-4.1'), over('other', 'gpt-4.1')] },
          [MESSAGES]: { wires: ['messages'], targets: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }] },
        },
      };
      scene = await startScene(settings, extensions);
    });
    after(async () => {
      await scene.stop();
      await upstream.stop();
    });
    beforeEach(() => {
      vendor = createStoringVendor();
      upstream.answer = vendor.answer;
      upstream.calls.length = 0;
    });

    const post = (key: keyof typeof keys, wire: Wire, model: string, more: Json = {}): Promise<HttpReply> =>
      send(scene.gateway.url, {
        ...callOf(wire, model, { more, stream: more['stream'] === true }),
        headers: { ...goodHeaders, authorization: `Bearer ${keys[key]}` },
      });
    const respond = (key: keyof typeof keys, more: Json = {}, model = RESPONSES): Promise<HttpReply> =>
      post(key, 'responses', model, more);
    const idOf = ({ text }: HttpReply): string => /resp_\d+/.exec(text)?.[0] ?? '';
    const create = async (key: keyof typeof keys, more?: Json, model?: string): Promise<string> =>
      idOf(await respond(key, more, model));
    const withPrevious = (id: string): Json => ({ previous_response_id: id });

    it('a response can be continued by every key of its project, at the credential that created it', async () => {
      for (const stream of [false, true])
        for (let time = 0; time < 6; time += 1) {
          const id = await create('web', { stream, input: `Question ${time}` });
          const secret = vendor.held.get(id);
          const reply = await respond('sibling', { stream, ...withPrevious(id) });
          expect(reply.status, reply.text).to.equal(200);
          expect(secretOf(upstream.calls.at(-1)!)).to.equal(secret);
        }
    });

    it('a response can be continued with another model of the same credential', async () => {
      const id = await create('web');
      expect((await respond('web', withPrevious(id), MINI)).status).to.equal(200);
    });

    it('an item of a stored response can be referred to', async () => {
      for (const stream of [false, true]) {
        const id = (await create('web', { stream })).replace('resp_', 'msg_of_');
        const input = [
          { type: 'item_reference', id },
          { role: 'user', content: 'Hi' },
        ];
        const reply = await respond('web', { input });
        expect(reply.status, reply.text).to.equal(200);
      }
    });

    it('an unknown response and that of another project get the same 400, and no vendor is called', async () => {
      const id = await create('web');
      upstream.calls.length = 0;
      const foreign = await respond('shop', withPrevious(id));
      const unknown = await respond('shop', withPrevious('resp_never'));
      expect(foreign.status).to.equal(400);
      expect(foreign.text).to.equal(unknown.text);
      expect(foreign.headers).to.have.all.keys(Object.keys(unknown.headers));
      expect(readError(foreign).error).to.include({ param: 'previous_response_id' });
      expect(foreign.text).to.not.include(id).and.not.include('acme');
      expect(upstream.calls).to.have.length(0);
    });

    it('vendorState: allow passes on what is unknown, and still nothing of another project', async () => {
      const id = await create('web');
      expect((await respond('trusting', withPrevious(id))).status).to.equal(400);
      upstream.calls.length = 0;
      const reply = await respond('trusting', withPrevious('resp_uploaded'));
      expect(reply.status).to.equal(400);
      expect(reply.text).to.include('not found');
      expect(upstream.calls.length).to.be.greaterThan(0);
    });

    it('vendorState: refuse refuses what the project owns', async () => {
      const id = await create('strict');
      const reply = await respond('strict', withPrevious(id));
      expect(reply.status).to.equal(400);
      expect(reply.text).to.include('vendorState: refuse of the key');
    });

    it('a response that was not stored is unknown', async () => {
      const id = await create('web', { store: false });
      expect(id).to.not.equal('');
      expect((await respond('web', withPrevious(id))).status).to.equal(400);
    });

    it('a model without the credential is refused by name', async () => {
      const id = await create('web');
      upstream.calls.length = 0;
      const reply = await respond('web', withPrevious(id), 'other/talk');
      expect(reply.status).to.equal(400);
      expect(reply.text).to.include('other/talk is not available there');
      expect(upstream.calls).to.have.length(0);
    });

    it('objects of two credentials cannot be used in one request', async () => {
      const [one, two] = [await create('web'), await create('web', {}, 'other/talk')];
      const input = [
        { type: 'item_reference', id: two.replace('resp_', 'msg_of_') },
        { role: 'user', content: 'Hi' },
      ];
      const reply = await respond('web', { ...withPrevious(one), input }, BOTH);
      expect(reply.status).to.equal(400);
      expect(reply.text).to.include('different credentials');
    });

    for (const status of [429, 500, 503])
      it(`a failure with ${status} leads to no other credential and no other vendor`, async () => {
        const id = await create('web', {}, BOTH);
        const secret = vendor.held.get(id);
        upstream.calls.length = 0;
        upstream.answer = (response) => answerJson(response, { error: { message: 'No.' } }, status);
        const reply = await respond('web', withPrevious(id), BOTH);
        expect(reply.status).to.be.greaterThan(428);
        expect(new Set(upstream.calls.map(secretOf))).to.deep.equal(new Set([secret]));
      });

    it('a container is found by its project, and by no other', async () => {
      for (const stream of [false, true]) {
        const first = await post('web', 'messages', MESSAGES, { stream });
        const container = /container_\d+/.exec(first.text)?.[0] ?? '';
        expect(vendor.held.has(container)).to.equal(true);
        expect((await post('sibling', 'messages', MESSAGES, { container, stream })).status).to.equal(200);
        expect(secretOf(upstream.calls.at(-1)!)).to.equal(vendor.held.get(container));
        const foreign = await post('shop', 'messages', MESSAGES, { container, stream });
        expect(foreign.status).to.equal(404);
        expect(readError(foreign).error.type).to.equal('not_found_error');
      }
    });

    it('a request is compared only with messages of its own project', async () => {
      const body = JSON.parse((await post('web', 'messages', MESSAGES)).text) as object;
      upstream.answer = (response) => answerJson(response, { ...body, id: 'msg_of_web' });
      const compared = (id: string | null): Json => ({ diagnostics: { previous_message_id: id } });
      expect((await post('web', 'messages', MESSAGES, compared(null))).status).to.equal(200);
      expect((await post('sibling', 'messages', MESSAGES, compared('msg_of_web'))).status).to.equal(200);
      expect((await post('shop', 'messages', MESSAGES, compared('msg_of_web'))).status).to.equal(404);
      expect((await post('web', 'messages', MESSAGES, compared('msg_unknown'))).status).to.equal(404);
    });

    it('an id that a vendor repeats from a request gives no project a right to it', async () => {
      const first = await post('trusting', 'messages', MESSAGES);
      const own = /container_\d+/.exec(first.text)?.[0] ?? '';
      const uploaded = 'container_of_the_operator';
      upstream.answer = (response) =>
        answerJson(response, { ...(JSON.parse(first.text) as object), container: { id: uploaded } });
      expect((await post('trusting', 'messages', MESSAGES, { container: uploaded })).status).to.equal(200);
      expect((await post('shop', 'messages', MESSAGES, { container: uploaded })).status).to.equal(404);
      expect((await post('shop', 'messages', MESSAGES, { container: own })).status).to.equal(200);
    });
  });
}

import { expect } from 'chai';
import { definePlugin, type PluginInstance } from '../../../core/api/index.ts';
import { builtIns } from '../../support/gateway.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { callOf, greet } from '../../support/calls.ts';
import { CHAT, MESSAGES, modelIds, startScene, type Scene } from '../../support/scene.ts';
import { wires, type Wire } from '../../matrix/wires.ts';

/** With white space that only the native lane keeps. */
const spaced = (body: string): string => JSON.stringify(JSON.parse(body), null, 3);

describe('the lane of an attempt', () => {
  let scene: Scene | undefined;
  afterEach(async () => {
    await scene?.stop();
    scene = undefined;
  });

  const start = async (instance: PluginInstance): Promise<Scene> => {
    const plugin = definePlugin({
      kind: 'plugin',
      apiVersion: 1,
      name: 'tested',
      schema: { type: 'object' },
      create: () => instance,
    });
    scene = await startScene(
      { plugins: [{ use: 'auth' }, { use: 'tested' }] },
      { ...builtIns, plugin: { ...builtIns.plugin, tested: plugin } },
    );
    scene.upstream.answer = greet;
    return scene;
  };
  /** The lane in the header, after a check that it was taken. */
  const laneOf = async ({ gateway, upstream }: Scene, client: Wire, model: string, stream = false): Promise<string> => {
    upstream.calls.length = 0;
    const { path, body } = callOf(client, model, { stream });
    const reply: HttpReply = await send(gateway.url, { path, body: spaced(body) });
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.text).to.include('Good day.'.slice(0, 4));
    const lane = String(reply.headers['x-koine-lane']);
    expect(upstream.calls).to.have.length(1);
    expect(upstream.calls[0]?.raw.includes('{\n   "'), 'the client’s own bytes went up').to.equal(lane === 'native');
    return lane;
  };

  for (const client of wires) {
    it(`takes the native lane for a client of ${client} if the target speaks its wire, else the translated one`, async () => {
      const running = await start({});
      for (const wire of wires) {
        for (const stream of [false, true])
          expect(await laneOf(running, client, modelIds[wire], stream), wire).to.equal(
            client === wire ? 'native' : 'translated',
          );
      }
    });
  }

  it('takes the translated lane if a fit of a plugin takes part, although the fit changes nothing', async () => {
    let fitted = 0;
    const running = await start({ fits: [{ name: 'looks', fit: () => void (fitted += 1) }] });
    expect(await laneOf(running, 'chat', CHAT)).to.equal('translated');
    expect(await laneOf(running, 'chat', CHAT, true)).to.equal('translated');
    expect(await laneOf(running, 'messages', MESSAGES)).to.equal('translated');
    expect(fitted).to.equal(3);
  });

  it('takes the native lane to a target to which the fit can never apply, which is checked once for each target', async () => {
    const asked: string[] = [];
    const applies = (profile: { wire: string; model: string }): boolean => {
      asked.push(`${profile.wire} ${profile.model}`);
      return profile.wire === 'messages';
    };
    const running = await start({ fits: [{ name: 'narrow', applies, fit: () => undefined }] });
    expect(asked, 'a target that is not used').to.deep.equal([]);
    const used: string[][] = [];
    for (let request = 0; request < 2; request += 1) {
      expect(await laneOf(running, 'chat', CHAT)).to.equal('native');
      expect(await laneOf(running, 'messages', MESSAGES)).to.equal('translated');
      used.push([...asked]);
    }
    expect(used[1]).to.deep.equal(used[0]);
    // For generate, and for count-tokens and compact if the wire has them.
    for (const place of new Set(asked)) expect(asked.filter((other) => other === place).length, place).to.be.at.most(3);
  });

  it('takes the translated lane if an interceptor replaces the request, and sends the replaced request', async () => {
    const running = await start({
      interceptor: (next) => (attempt) =>
        attempt.operation === 'generate'
          ? next({ ...attempt, request: { ...attempt.request, temperature: 0.25 } })
          : next(attempt),
    });
    expect(await laneOf(running, 'chat', CHAT)).to.equal('translated');
    expect(running.upstream.calls[0]?.body).to.include({ temperature: 0.25, model: 'gpt-4.1' });
  });

  it('stays on the native lane if an interceptor changes only headers, which are sent', async () => {
    const running = await start({
      interceptor: (next) => (attempt) => next({ ...attempt, headers: { traceparent: '00-abc-def-01' } }),
    });
    expect(await laneOf(running, 'chat', CHAT)).to.equal('native');
    expect(running.upstream.calls[0]?.headers).to.include({
      traceparent: '00-abc-def-01',
      authorization: 'Bearer upstream-secret',
    });
  });

  it('sends the headers of an interceptor on the translated lane too', async () => {
    const running = await start({
      interceptor: (next) => (attempt) => next({ ...attempt, headers: { traceparent: '00-abc-def-01' } }),
    });
    expect(await laneOf(running, 'chat', MESSAGES)).to.equal('translated');
    expect(running.upstream.calls[0]?.headers).to.include({ traceparent: '00-abc-def-01' });
  });
});

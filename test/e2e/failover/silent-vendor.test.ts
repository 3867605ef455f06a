import { expect } from 'chai';
import { askAdmin, readJson } from '../../support/admin.ts';
import { callOf, greet } from '../../support/calls.ts';
import { failAt, modelOver, startFailover, trailOf } from '../../support/failover-scene.ts';
import { send } from '../../support/http.ts';
import { CHAT, MESSAGES, type Scene } from '../../support/scene.ts';

interface MoveOn {
  readonly target: string;
  readonly afterMs: number;
  readonly from: string;
  readonly p99Ms?: number;
}

const MODEL = modelOver('chat', 'messages');

describe('a vendor that falls silent', () => {
  let scene: Scene;
  afterEach(() => scene.stop());

  const trails = async (count: number, stream: boolean): Promise<readonly (readonly string[])[]> => {
    const before = scene.gateway.exchanges().length;
    for (let index = 0; index < count; index += 1)
      expect((await send(scene.gateway.url, callOf('chat', MODEL, { stream }))).status).to.equal(200);
    await scene.gateway.settled(before + count);
    return scene.gateway.exchanges().slice(before).map(trailOf);
  };

  const explain = async (stream: boolean): Promise<readonly MoveOn[] | undefined> => {
    const question = { key: 'alice', model: MODEL, stream };
    const reply = await askAdmin(scene.gateway, 'POST', '/admin/explain', question);
    const { plugins } = readJson<{ plugins: { use: string; says: { moveOn: MoveOn[] } }[] }>(reply);
    return plugins.find(({ use }) => use === 'failover')?.says.moveOn;
  };

  for (const stream of [false, true]) {
    const kind = stream ? 'streamed' : 'plain';
    it(`${kind}: five requests wait for it, after any number of good ones`, async () => {
      const moveOn = { streamed: '300ms', plain: '300ms' };
      scene = await startFailover({ moveOn, circuit: { open: '10m', longest: '10m' } });
      scene.upstream.answer = greet;
      await trails(60, stream);
      scene.upstream.answer = failAt('chat', () => {});
      const waited = [`${CHAT} key-1 timeout`, `${MESSAGES} key-1 ok`];
      const moved = [`${MESSAGES} key-1 ok`];
      expect(await trails(20, stream)).to.deep.equal(
        Array.from({ length: 20 }, (_, index) => (index < 5 ? waited : moved)),
      );
    });

    it(`${kind}: the wait is learnt from the responses before, and explain shows it`, async () => {
      const least = { streamed: '700ms', plain: '700ms' };
      scene = await startFailover({ moveOn: { least }, circuit: { open: '10m', longest: '10m' } });
      scene.upstream.answer = greet;
      const before = await explain(stream);
      expect(before?.map(({ p99Ms, ...others }) => [others, p99Ms])).to.deep.equal(
        [CHAT, MESSAGES].map((target) => [
          stream ? { target, afterMs: 120_000, from: 'streamed' } : { target, afterMs: 300_000, from: 'plain' },
          undefined,
        ]),
      );
      await trails(60, stream);
      const [learnt, other] = (await explain(stream)) ?? [];
      expect(learnt?.from).to.be.oneOf(['least', 'times']);
      expect(learnt?.afterMs).to.be.within(700, 100_000);
      expect(learnt?.p99Ms).to.be.above(0);
      expect(other?.from).to.equal(stream ? 'streamed' : 'plain');
      scene.upstream.answer = failAt('chat', () => {});
      const lengths = (await trails(12, stream)).map(({ length }) => length);
      expect(lengths).to.deep.equal([2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1]);
    });
  }

  for (const stream of [false, true])
    it(`a ${stream ? 'stream' : 'response'} that arrived while the event loop was blocked is not silence`, async () => {
      scene = await startFailover({ moveOn: { streamed: '300ms', plain: '300ms' } });
      scene.upstream.answer = async (response, call) => {
        await greet(response, call);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);
      };
      expect(await trails(3, stream)).to.deep.equal(Array.from({ length: 3 }, () => [`${CHAT} key-1 ok`]));
    });
});

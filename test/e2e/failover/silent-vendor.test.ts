import { expect } from 'chai';
import { callOf, greet } from '../../support/calls.ts';
import { failAt, modelOver, startFailover, trailOf } from '../../support/failover-scene.ts';
import { send } from '../../support/http.ts';
import { CHAT, MESSAGES, type Scene } from '../../support/scene.ts';

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

  for (const stream of [false, true]) {
    it(`five requests wait for it, after any number of good ones (${stream ? 'streamed' : 'plain'})`, async () => {
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
  }
});

import { expect } from 'chai';
import { callOf, greet } from '../../support/calls.ts';
import { refuse, startFailover } from '../../support/failover-scene.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { CHAT, type Scene } from '../../support/scene.ts';

/** Twenty requests a second. */
const EVERY_MS = 50;

/** Clients that send at a constant rate, independent of one another. */
const drive = async (scene: Scene, count: number): Promise<readonly HttpReply[]> => {
  const replies: Promise<HttpReply>[] = [];
  for (let index = 0; index < count; index += 1) {
    replies.push(send(scene.gateway.url, callOf('chat', CHAT)));
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  return Promise.all(replies);
};
const countGood = (replies: readonly HttpReply[]): number => replies.filter(({ status }) => status === 200).length;

describe('a gateway with one target, as shipped', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await startFailover({ cooldown: {}, circuit: {}, retries: 1 });
  });
  afterEach(() => scene.stop());

  const answers: readonly Readonly<Record<string, string>>[] = [{}, { 'retry-after': '20' }];
  for (const headers of answers) {
    it(`nine of ten clients succeed while a vendor refuses 5 % of the calls, with ${JSON.stringify(headers)}`, async () => {
      let calls = 0;
      scene.upstream.answer = (response, call) =>
        (calls += 1) % 20 === 3 ? refuse(429, undefined, headers)(response) : void greet(response, call);
      expect(countGood(await drive(scene, 160))).to.be.at.least(144);
    });
  }

  it('a vendor is used again about two seconds after an outage', async () => {
    scene.upstream.answer = refuse(503) as Scene['upstream']['answer'];
    await drive(scene, 220);
    const [during, since] = [scene.upstream.calls.length, performance.now()];
    await drive(scene, 40);
    const seconds = (performance.now() - since) / 1_000;
    expect((scene.upstream.calls.length - during) / seconds, 'calls in a second of the outage').to.be.below(8);
    scene.upstream.answer = greet;
    // The machine may be busy: twice the time that it takes.
    await drive(scene, 80);
    expect(countGood(await drive(scene, 40))).to.equal(40);
  });
});

import { expect } from 'chai';
import { callOf, greet, wireAt } from '../../support/calls.ts';
import { refuse, trailOf } from '../../support/failover-scene.ts';
import { send } from '../../support/http.ts';
import { CHAT, everyWire, GOOGLE, MESSAGES, startScene, type Scene } from '../../support/scene.ts';

const targetOf = (id: string, wire: string): object => {
  const [provider, model] = id.split('/');
  return { provider, model, wire };
};

/** The first target refuses every tenth call, and the others are down. All settings are the defaults. */
describe('a target that refuses some calls, while the others are down', () => {
  let scene: Scene;
  let calls: number;
  /** The moments of its calls. */
  let calledAt: number[];
  let headers: Readonly<Record<string, string>>;
  beforeEach(async () => {
    calls = 0;
    calledAt = [];
    headers = {};
    scene = await startScene({
      models: {
        'house/three': {
          wires: everyWire,
          targets: [
            targetOf(CHAT, 'chat-completions'),
            targetOf(MESSAGES, 'messages'),
            targetOf(GOOGLE, 'generate-content'),
          ],
        },
        'house/one': { wires: everyWire, targets: [targetOf(CHAT, 'chat-completions')] },
      },
      plugins: [{ use: 'auth' }, { use: 'failover' }],
    });
    scene.upstream.answer = (response, call) => {
      if (wireAt(call.path) !== 'chat') return void response.destroy();
      calls += 1;
      calledAt.push(performance.now());
      return calls % 10 === 0 ? refuse(429, undefined, headers)(response) : greet(response, call);
    };
  });
  afterEach(() => scene.stop());

  const statuses = async (count: number, model = 'house/three'): Promise<readonly number[]> => {
    const found: number[] = [];
    for (let index = 0; index < count; index += 1)
      found.push((await send(scene.gateway.url, callOf('chat', model))).status);
    await scene.gateway.settled(count);
    return found;
  };

  it('serves every request: the refused ones by a second call to it, after the others', async () => {
    expect((await statuses(153)).filter((status) => status !== 200)).to.deep.equal([]);
    const trails = scene.gateway.exchanges().map(trailOf);
    const again = trails.filter(([first]) => first === `${CHAT} key-1 rate-limit`);
    expect(again.length).to.be.within(13, 17);
    for (const trail of again) {
      expect(trail.at(-1)).to.equal(`${CHAT} key-1 ok`);
      expect(trail.filter((attempt) => attempt.startsWith(CHAT))).to.have.length(2);
    }
  });

  it('is called again once its vendor allows it, if it says when', async () => {
    headers = { 'retry-after': '1' };
    expect((await statuses(12)).filter((status) => status !== 200)).to.deep.equal([]);
    const [refusedAt = 0, calledAgainAt = 0] = calledAt.slice(9);
    expect(calledAgainAt - refusedAt).to.be.at.least(995);
  });

  it('is not called again if there is no other: its client gets the refusal', async () => {
    expect((await statuses(12, 'house/one')).filter((status) => status !== 200)).to.deep.equal([429]);
  });
});

import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import { askAdmin, readJson } from '../../support/admin.ts';
import { callOf, greet, wireAt } from '../../support/calls.ts';
import { modelOver, refuse, startFailover, trailOf } from '../../support/failover-scene.ts';
import { KEY } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { CHAT, MESSAGES, type Scene } from '../../support/scene.ts';

const MODEL = modelOver('chat', 'messages');

const keyOf = (name: string): string => `${KEY}-${name}`;
const keys = Object.fromEntries(['mallory', 'bob', 'carol'].map((name) => [name, { key: keyOf(name) }]));
/** One tenant with one key, and another with two. */
const organizations = {
  attackers: { projects: { web: { keys: { mallory: keys['mallory'] } } } },
  acme: { projects: { web: { keys: { bob: keys['bob'], carol: keys['carol'] } } } },
};

/** What a vendor answers to a request that asks for it, and what the gateway takes it for. */
const faults: readonly (readonly [name: string, fail: (response: ServerResponse) => void, failure: string])[] = [
  ['a 429', refuse(429, undefined, { 'retry-after': '30' }), 'rate-limit'],
  ['a 402', refuse(402), 'quota'],
  ['a 401', refuse(401), 'credential'],
  ['a 500', refuse(500), 'transient'],
  ['a 503 with retry-after', refuse(503, undefined, { 'retry-after': '30' }), 'overloaded'],
  ['a reset', (response) => void response.socket?.resetAndDestroy(), 'transient'],
];

describe('failures of one caller', () => {
  let scene: Scene;
  let fail: (response: ServerResponse) => void;
  beforeEach(async () => {
    scene = await startFailover(
      { cooldown: { rateLimit: '30s', quota: '10m' }, circuit: { calls: 4, open: '1m' } },
      { organizations },
    );
    scene.upstream.answer = (response, call) => {
      if (wireAt(call.path) === 'chat' && JSON.stringify(call.body).includes('Fail, please')) return fail(response);
      void greet(response, call);
    };
  });
  afterEach(() => scene.stop(/a provider refuses a credential/));

  /** @param status 0: any */
  const ask = async (name: string, content: string, model = MODEL, status = 200): Promise<readonly string[]> => {
    const before = scene.gateway.exchanges().length;
    const call = callOf('chat', model, { more: { messages: [{ role: 'user', content }] } });
    const reply = await send(scene.gateway.url, {
      ...call,
      headers: { 'authorization': `Bearer ${keyOf(name)}`, 'content-type': 'application/json' },
    });
    if (status !== 0) expect(reply.status, reply.text).to.equal(status);
    await scene.gateway.settled(before + 1);
    return trailOf(scene.gateway.exchanges()[before]);
  };
  /** Is it in trouble, and for whom? */
  const circuits = async (): Promise<
    readonly (readonly [isBad: boolean, callers: readonly string[] | undefined])[]
  > => {
    const answer = await askAdmin(scene.gateway, 'GET', '/admin/circuits');
    const entries = readJson<{ circuits: { readonly state: string; readonly callers?: readonly string[] }[] }>(
      answer,
    ).circuits;
    return entries.map(({ state, callers }) => [state !== 'closed', callers]);
  };

  for (const [name, answer, failure] of faults) {
    it(`failures of ${name} move the requests of their caller only`, async () => {
      fail = answer;
      expect((await ask('mallory', 'Fail, please.'))[0]).to.equal(`${CHAT} key-1 ${failure}`);
      for (let index = 0; index < 8; index += 1) await ask('mallory', 'Fail, please.');
      expect(await ask('mallory', 'Hello'), 'its own').to.deep.equal([`${MESSAGES} key-1 ok`]);
      expect(await circuits()).to.deep.include([true, ['attackers/web/mallory']]);
      for (const other of ['bob', 'carol'])
        expect(await ask(other, 'Hello'), other).to.deep.equal([`${CHAT} key-1 ok`]);
    });

    it(`failures of ${name} move all requests once a second caller meets them`, async () => {
      fail = answer;
      for (const caller of ['mallory', 'bob', 'mallory', 'bob']) await ask(caller, 'Fail, please.');
      expect(await ask('carol', 'Hello')).to.deep.equal([`${MESSAGES} key-1 ok`]);
      expect(await circuits()).to.deep.include([true, undefined]);
    });
  }

  it('failures by directives of the simulator affect their caller only', async () => {
    const directives = [
      'status=500',
      'status=429 retryAfter=30',
      'status=401',
      'status=402',
      'error=before code=upstream_unreachable',
      'reset=before',
    ];
    for (const directive of directives) {
      for (let index = 0; index < 6; index += 1)
        await ask('mallory', `[[simulator ${directive}]]`, 'simulator/chat', 0);
    }
    for (let index = 0; index < 5; index += 1)
      expect(await ask('bob', 'Hello', 'simulator/chat')).to.deep.equal(['simulator/chat none ok']);
    const shared = (await circuits()).filter(([isBad, callers]) => isBad && callers === undefined);
    expect(shared).to.deep.equal([]);
  });
});

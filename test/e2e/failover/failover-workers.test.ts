import { expect } from 'chai';
import { startKoine, type KoineProcess } from '../../processes/koine-process.ts';
import { until } from '../../support/until.ts';
import { json, readJson } from '../../support/admin.ts';
import { callOf } from '../../support/calls.ts';
import { send } from '../../support/http.ts';

interface Circuit {
  readonly provider: string;
  readonly state: string;
}
interface Shown {
  readonly worker: number;
  readonly request_id: string;
  readonly attempts: readonly {
    readonly provider: string;
    readonly model: string;
    readonly credential: string;
    readonly failure?: string;
    readonly status: number;
    readonly ms: number;
  }[];
}
interface Explanation {
  readonly plugins: readonly {
    readonly use: string;
    readonly says?: {
      readonly candidates: readonly { readonly target: string; readonly state: string; readonly reason?: string }[];
    };
  }[];
}

describe('circuits of several workers', () => {
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine({
      server: { workers: 2 },
      providers: { broken: { use: 'simulator' }, good: { use: 'simulator' }, spare: { use: 'simulator' } },
      models: {
        'house/talk': {
          targets: [
            { provider: 'broken', model: 'chat?status=500' },
            { provider: 'good', model: 'chat' },
          ],
        },
        'house/both': {
          targets: [
            { provider: 'good', model: 'chat' },
            { provider: 'spare', model: 'chat' },
          ],
        },
      },
      plugins: [{ use: 'auth' }, { use: 'failover', config: { retries: 0, circuit: { calls: 2, open: '5m' } } }],
    });
  });
  after(() => koine?.end());

  const circuits = async (): Promise<readonly Circuit[]> =>
    readJson<{ circuits: Circuit[] }>(
      await send(koine.adminUrl, { method: 'GET', path: '/admin/circuits', headers: {} }),
    ).circuits;
  const transitions = (): readonly unknown[] =>
    koine
      .lines()
      .filter(({ message }) => message === 'a circuit has opened')
      .map((line) => line['worker']);

  it('each worker has a circuit of its own, and the primary shows them and uses them to explain', async () => {
    expect(await circuits()).to.deep.equal([]);
    const deadline = performance.now() + 40_000;
    while (transitions().length < 2 && performance.now() < deadline) {
      const replies = await Promise.all(Array.from({ length: 4 }, () => send(koine.url, callOf('chat', 'house/talk'))));
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    }
    expect(new Set(transitions()).size, 'a line of each worker').to.equal(2);
    expect((await circuits()).map(({ provider, state }) => [provider, state])).to.deep.equal([['broken', 'open']]);

    const body = JSON.stringify({ key: 'alice', model: 'house/talk' });
    const { plugins } = readJson<Explanation>(
      await send(koine.adminUrl, { path: '/admin/explain', headers: json, body }),
    );
    const candidates = plugins.find(({ use }) => use === 'failover')?.says?.candidates ?? [];
    expect(candidates.map(({ target, state, reason }) => [target, state, reason])).to.deep.equal([
      ['good/chat', 'ready', undefined],
      ['broken/chat?status=500', 'resting', 'open (transient)'],
    ]);
  });

  it('the primary shows the attempts of the latest exchanges of both workers', async () => {
    const logged = (): readonly unknown[] =>
      koine
        .lines()
        .filter(({ message }) => message === 'exchange')
        .map(({ request_id }) => request_id);
    let exchanges: readonly Shown[] = [];
    for (let tries = 0; tries < 400 && exchanges.length < logged().length; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      ({ exchanges } = readJson<{ exchanges: Shown[] }>(
        await send(koine.adminUrl, { method: 'GET', path: '/admin/exchanges', headers: {} }),
      ));
    }
    expect(exchanges.map(({ request_id }) => request_id)).to.have.members(logged());
    expect(new Set(exchanges.map(({ worker }) => worker)).size).to.equal(2);
    const [failed, answered] = exchanges.at(-1)?.attempts ?? [];
    expect(failed)
      .to.include({
        provider: 'broken',
        model: 'chat?status=500',
        outcome: 'upstream_error',
        failure: 'transient',
        status: 500,
      })
      .and.to.have.property('ms')
      .that.is.a('number');
    expect(answered).to.include({ provider: 'good', model: 'chat', outcome: 'ok', status: 200 });
    expect(answered?.credential).to.be.a('string');
  });

  it('the circuits of a worker disappear with it', async () => {
    const [one, other] = koine.workers();
    for (const worker of [one, other]) if (worker !== undefined) koine.kill(worker);
    await until('two others', () => koine.workers().length === 4);
    expect(await circuits()).to.deep.equal([]);
  });

  it('explain shows when a target is given up, by what the workers have learnt', async () => {
    for (let count = 0; count < 160; count += 1)
      expect((await send(koine.url, callOf('chat', 'house/both'))).status).to.equal(200);
    const moveOn = async (): Promise<
      readonly { readonly target: string; readonly from: string; readonly p99Ms?: number }[]
    > => {
      const body = JSON.stringify({ key: 'alice', model: 'house/both' });
      const reply = await send(koine.adminUrl, { path: '/admin/explain', headers: json, body });
      const { plugins } = readJson<{ plugins: { use: string; says?: { moveOn: [] } }[] }>(reply);
      return plugins.find(({ use }) => use === 'failover')?.says?.moveOn ?? [];
    };
    await until('a worker has reported', async () => (await moveOn())[0]?.p99Ms !== undefined, 500);
    const [good, spare] = await moveOn();
    expect(good).to.include({ target: 'good/chat', from: 'least' });
    expect(good?.p99Ms).to.be.above(0);
    expect(spare).to.deep.include({ target: 'spare/chat', from: 'plain' }).and.not.have.property('p99Ms');
  });
});

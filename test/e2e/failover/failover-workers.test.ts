import { expect } from 'chai';
import { startKoine, type KoineProcess, type LogLine } from '../../processes/koine-process.ts';
import { parseMetrics, sumOf } from '../../support/parse-metrics.ts';
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
      plugins: [
        { use: 'metrics' },
        { use: 'auth' },
        { use: 'failover', config: { retries: 0, circuit: { calls: 30, consecutive: 0, open: '5m' } } },
      ],
    });
  });
  after(() => koine?.end());

  const circuits = async (): Promise<readonly Circuit[]> =>
    readJson<{ circuits: Circuit[] }>(
      await send(koine.adminUrl, { method: 'GET', path: '/admin/circuits', headers: {} }),
    ).circuits;
  const linesOf = (text: string): readonly LogLine[] => koine.lines().filter(({ message }) => message === text);
  const exchanges = (): readonly LogLine[] => linesOf('exchange');
  /** Asks once, and waits for all lines up to that of the request. @returns the worker, and the providers it tried */
  const ask = async (): Promise<{ readonly worker: unknown; readonly tried: readonly unknown[] }> => {
    const known = exchanges().length;
    expect((await send(koine.url, callOf('chat', 'house/talk'))).status).to.equal(200);
    await until('its line', () => exchanges().length > known);
    const { worker, attempts } = exchanges()[known]!;
    return { worker, tried: (attempts as readonly { readonly provider: string }[]).map(({ provider }) => provider) };
  };
  /** Asks until each of these workers has served a request. @returns the providers that were tried */
  const askAll = async (workers: readonly number[]): Promise<readonly unknown[]> => {
    const tried = new Set<unknown>();
    const missing = new Set<unknown>(workers);
    while (missing.size > 0) {
      const one = await ask();
      missing.delete(one.worker);
      for (const provider of one.tried) tried.add(provider);
    }
    return [...tried];
  };
  /** How many workers have opened the circuit, or have taken it over. */
  const opened = async (): Promise<number> => {
    const { text } = await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} });
    return sumOf(parseMetrics(text), 'koine_circuit_transitions_total', { provider: 'broken', to: 'open' });
  };

  it('a circuit that one worker opens is open in both, and is logged once', async () => {
    expect(await circuits()).to.deep.equal([]);
    expect(await askAll(koine.workers())).to.have.members(['broken', 'good']);
    while (linesOf('a circuit has opened').length === 0) await ask();
    await until('the other worker has taken it over', async () => (await opened()) === 2);
    expect(await askAll(koine.workers())).to.deep.equal(['good']);
    expect(linesOf('a circuit has opened')).to.have.lengthOf(1);
  });

  it('the main thread shows circuits of workers, and uses them to explain', async () => {
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

  it('the main thread shows the attempts of the latest exchanges of both workers', async () => {
    let shown: readonly Shown[] = [];
    for (let tries = 0; tries < 400 && shown.length < exchanges().length; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      ({ exchanges: shown } = readJson<{ exchanges: Shown[] }>(
        await send(koine.adminUrl, { method: 'GET', path: '/admin/exchanges', headers: {} }),
      ));
    }
    expect(shown.map(({ request_id }) => request_id)).to.have.members(exchanges().map((line) => line['request_id']));
    expect(new Set(shown.map(({ worker }) => worker)).size).to.equal(2);
    const [failed, answered] = shown.at(-1)?.attempts ?? [];
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

  it('a worker that replaces the one that has opened it begins with the circuit', async () => {
    koine.kill(Number(linesOf('a circuit has opened')[0]?.['worker']));
    await until('a successor', () => koine.workers().length === 3);
    await askAll(koine.liveWorkers());
    await until('it knows the circuit', async () => (await opened()) === 3);
    expect(await askAll(koine.liveWorkers())).to.deep.equal(['good']);
    expect(linesOf('a circuit has opened')).to.have.lengthOf(1);
  });

  it('the circuits of workers disappear with the last one', async () => {
    const known = koine.workers().length;
    for (const worker of koine.liveWorkers()) koine.kill(worker);
    await until('two others', () => koine.workers().length === known + 2);
    expect(await circuits()).to.deep.equal([]);
  });

  it('explain shows when a target is given up, by what all workers have learnt together, also those that have ended', async () => {
    for (let count = 0; count < 10; count += 1)
      expect((await send(koine.url, callOf('chat', 'house/both'))).status).to.equal(200);
    const moveOn = async (): Promise<
      readonly { readonly target: string; readonly from: string; readonly p99Ms?: number }[]
    > => {
      const body = JSON.stringify({ key: 'alice', model: 'house/both' });
      const reply = await send(koine.adminUrl, { path: '/admin/explain', headers: json, body });
      const { plugins } = readJson<{ plugins: { use: string; says?: { moveOn: [] } }[] }>(reply);
      return plugins.find(({ use }) => use === 'failover')?.says?.moveOn ?? [];
    };
    const [good, spare] = await moveOn();
    expect(good).to.include({ target: 'good/chat', from: 'least' });
    expect(good?.p99Ms).to.be.above(0);
    expect(spare).to.deep.include({ target: 'spare/chat', from: 'plain' }).and.not.have.property('p99Ms');
  });
});

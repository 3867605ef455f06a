import { expect } from 'chai';
import { createMetrics } from '../../../core/services/metrics/metrics.ts';
import { readInFlight, readTotals, selectRates } from '../../../plugins/metrics/rate-totals.ts';
import { RecentRates, STEP_MS, type Step } from '../../../plugins/metrics/recent-rates.ts';

const START = Date.parse('2026-11-23T12:00:00Z');

/** The metrics that the plugin counts, with the labels that matter here. */
const createCounts = () => {
  const metrics = createMetrics();
  const requests = metrics.counter('koine_http_requests_total', 'r', ['code', 'outcome']);
  const durations = metrics.histogram('koine_http_request_duration_seconds', 'd', ['outcome'], [0.1, 0.2, 1]);
  const tokens = metrics.counter('koine_tokens_total', 't', ['type']);
  const first = metrics.histogram('koine_time_to_first_token_seconds', 'f', ['model'], [0.5, 1]);
  const inFlight = metrics.gauge('koine_requests_in_flight', 'i', ['stream'], 'sum');
  return {
    metrics,
    end: (outcome: string, seconds: number) => {
      requests.bind(['200', outcome])(1);
      durations.bind([outcome])(seconds);
    },
    use: (type: string, count: number) => tokens.bind([type])(count),
    begin: (seconds: number) => first.bind(['a'])(seconds),
    show: (stream: string, count: number) => inFlight.bind([stream])(count),
  };
};

const createRates = async (startedAt = 3_000) => {
  let now = START + startedAt;
  const processes = [createCounts(), createCounts()] as const;
  const read = async () => selectRates((await Promise.all(processes.map(({ metrics }) => metrics.snapshot()))).flat());
  const rates = new RecentRates(async () => readTotals(await read()), { now: () => now });
  await rates.start();
  return {
    processes,
    rates,
    read,
    /** Ends the step at this time after the start. */
    endAt: async (ms: number): Promise<readonly Step[]> => {
      now = START + ms;
      await rates.record();
      return rates.list();
    },
  };
};

const nothing = { success: 0, client_error: 0, limited: 0, failure: 0, tokens: 0 };
const noTimes = { p50Ms: null, p95Ms: null, p95FirstContentMs: null };

describe('recent rates', () => {
  it('recent rates have what all processes counted in each ten seconds, by class', async () => {
    const { processes, rates, endAt } = await createRates();
    const [one, other] = processes;
    for (const outcome of ['ok', 'unfinished', 'auth', 'client_closed', 'client_error', 'rate_limited'])
      one.end(outcome, 0.15);
    for (const outcome of ['ok', 'upstream_error', 'timeout', 'gateway_error', 'shed']) other.end(outcome, 0.15);
    for (const [type, count] of [
      ['input', 10],
      ['cache_read', 8],
      ['output', 5],
    ] as const)
      other.use(type, count);
    one.begin(0.25);
    const steps = await endAt(STEP_MS + 4);
    rates.stop();
    expect(steps).to.deep.equal([
      {
        time: '2026-11-23T12:00:00.000Z',
        success: 3,
        client_error: 3,
        limited: 1,
        failure: 4,
        tokens: 15,
        p50Ms: 150,
        p95Ms: 195,
        p95FirstContentMs: 475,
      },
    ]);
  });

  it('recent rates count each request in one step, and a step without requests has no times', async () => {
    const { processes, rates, endAt } = await createRates();
    processes[0].end('ok', 5);
    await endAt(STEP_MS);
    await endAt(2 * STEP_MS - 7);
    processes[1].end('ok', 0.05);
    const steps = await endAt(3 * STEP_MS);
    rates.stop();
    expect(steps).to.deep.equal([
      { time: '2026-11-23T12:00:00.000Z', ...nothing, ...noTimes, success: 1, p50Ms: 1_000, p95Ms: 1_000 },
      { time: '2026-11-23T12:00:10.000Z', ...nothing, ...noTimes },
      { time: '2026-11-23T12:00:20.000Z', ...nothing, ...noTimes, success: 1, p50Ms: 50, p95Ms: 95 },
    ]);
  });

  it('recent rates lose nothing when the gateway starts just before the end of a step, or a timer is late', async () => {
    const { processes, rates, endAt } = await createRates(9_500);
    processes[0].end('ok', 0.05);
    await endAt(2 * STEP_MS + 8_000);
    processes[0].end('ok', 0.05);
    const steps = await endAt(3 * STEP_MS);
    rates.stop();
    expect(steps.map(({ time, success }) => [time, success])).to.deep.equal([
      ['2026-11-23T12:00:10.000Z', 1],
      ['2026-11-23T12:00:20.000Z', 1],
    ]);
  });

  it('recent rates leave out steps in which the process did not run, and keep 90', async () => {
    const { processes, rates, endAt } = await createRates();
    processes[0].end('ok', 0.05);
    expect(await endAt(5 * STEP_MS)).to.deep.equal([]);
    for (let step = 6; step <= 105; step += 1) await endAt(step * STEP_MS);
    const steps = rates.list();
    rates.stop();
    expect([steps.length, steps[0]?.time, steps.at(-1)?.time]).to.deep.equal([
      90,
      '2026-11-23T12:02:30.000Z',
      '2026-11-23T12:17:20.000Z',
    ]);
  });

  it('recent rates do not fall below zero when a series is removed', async () => {
    const { processes, rates, endAt } = await createRates();
    processes[0].end('ok', 0.05);
    await endAt(STEP_MS);
    processes[0].metrics.drop(() => true);
    const steps = await endAt(2 * STEP_MS);
    rates.stop();
    expect(steps[1]).to.deep.equal({ time: '2026-11-23T12:00:10.000Z', ...nothing, ...noTimes });
  });

  it('the requests in flight are those of all processes', async () => {
    const { processes, rates, read } = await createRates();
    processes[0].show('true', 3);
    processes[1].show('true', 2);
    processes[1].show('false', 1);
    rates.stop();
    expect(readInFlight(await read())).to.equal(6);
  });
});

import { expect } from 'chai';
import failover from '../../../plugins/failover/index.ts';
import { GatewayError, type AttemptRecord, type PluginInstance, type Services } from '../../../core/api/index.ts';
import { createTestServices } from '../../../core/testing/services.ts';
import { createTestExchange, createTestLog, createTestTarget } from '../../../core/testing/index.ts';
import { createReply, sampleRecord } from '../../core/exchange/sample-exchange.ts';
import { failure, optionsOf } from './setup.ts';

const targets = [createTestTarget('one/a')];

/** The services of one process, with its shared objects. */
const createProcess = (): Services & { readonly asked: unknown[]; readonly log: ReturnType<typeof createTestLog> } => {
  const kept = new Map<string, unknown>();
  const asked: unknown[] = [];
  const services = createTestServices({
    shared: <T>(key: string, create: () => T): T => {
      if (!kept.has(key)) kept.set(key, create());
      return kept.get(key) as T;
    },
    primary: { call: async (message) => void asked.push(message) },
  });
  return { ...services, asked, log: createTestLog() };
};
const start = async (services: Services, config: Readonly<Record<string, unknown>> = {}): Promise<PluginInstance> =>
  failover.create(optionsOf({ retries: 0, wait: '0s', ...config }), services);
const run = async ({ strategy }: PluginInstance, fail?: GatewayError, among = targets): Promise<string> => {
  const exchange = createTestExchange({ targets: among, startedAt: performance.now() });
  try {
    await strategy?.(exchange, async (target) => {
      if (fail !== undefined) throw fail;
      return createReply(target);
    });
    return 'ok';
  } catch (thrown) {
    return GatewayError.is(thrown) ? thrown.code : String(thrown);
  }
};

describe('the plugin failover', () => {
  it('failover keeps its circuits through a reload, and applies the new settings', async () => {
    const services = createProcess();
    const before = await start(services, { circuit: { calls: 3, open: '1h', longest: '1h' } });
    for (let index = 0; index < 3; index += 1) await run(before, failure('transient'));
    const after = await start(services, { circuit: { calls: 1, open: '1h', longest: '1h' } });
    expect(await run(after), 'the old rate of calls').to.equal('no_target_available');
    const fresh = await start(createProcess(), { circuit: { calls: 1 } });
    expect(await run(fresh)).to.equal('ok');
  });

  const withVersion = (version: string) => [createTestTarget('one/a', { versions: new Map([['key-1', version]]) })];
  const trip = { circuit: { calls: 3, open: '1h', longest: '1h' } };

  it('a credential whose secret has changed starts with a closed circuit, and an unchanged one keeps its own', async () => {
    for (const code of ['transient', 'credential'] as const) {
      const services = createProcess();
      const first = withVersion('first');
      const before = await start(services, trip);
      for (let index = 0; index < 3; index += 1) await run(before, failure(code), first);
      const again = await start(services, trip);
      expect(await run(again, undefined, withVersion('first')), code).to.equal('no_target_available');
      const replaced = await start(services, trip);
      expect(await run(replaced, undefined, withVersion('second')), code).to.equal('ok');
    }
  });

  it('the circuit of a replaced secret is reported as closed, and nothing names a version', async () => {
    const services = createProcess();
    const old = withVersion('first-version');
    const before = await start(services, trip);
    await run(before, failure('credential'), old);
    const after = await start(services, trip);
    expect(await run(after, undefined, withVersion('second-version'))).to.equal('ok');
    const notes = () => services.asked.map((asked) => (asked as { note: { healthKey: object; state: string } }).note);
    expect(notes().map(({ state }) => state)).to.deep.equal(['open', 'closed']);
    expect(notes()[1]?.healthKey).to.deep.equal(notes()[0]?.healthKey);
    expect(services.log.lines.map(({ text }) => text)[1]).to.equal('a circuit has closed');
    expect(JSON.stringify([services.asked, services.log.lines])).to.not.include('-version');
  });

  it('exchanges of the previous configuration keep their circuit, and do not open that of the new secret', async () => {
    const services = createProcess();
    const [old, next] = [withVersion('first'), withVersion('second')];
    const before = await start(services, trip);
    expect(await run(before, undefined, old)).to.equal('ok');
    const after = await start(services, trip);
    expect(await run(after, undefined, next)).to.equal('ok');
    await run(before, failure('credential'), old);
    expect(await run(before, undefined, old)).to.equal('no_target_available');
    expect(await run(after, undefined, next)).to.equal('ok');
    expect(services.asked).to.deep.equal([]);
  });

  it('logs one line for each transition, and reports it to the primary instance', async () => {
    const services = createProcess();
    await run(await start(services, { circuit: { calls: 1 } }), failure('overloaded'));
    expect(services.log.lines.map(({ level, text }) => [level, text])).to.deep.equal([
      ['warn', 'a circuit has opened'],
    ]);
    expect(services.log.lines[0]?.fields).to.include({
      provider: 'one',
      model: 'a',
      credential: 'key-1',
      from: 'closed',
      to: 'open',
      reason: 'overloaded',
    });
    expect(services.asked).to.have.length(1);
    expect((services.asked[0] as { note: object }).note).to.include({ kind: 'circuit', state: 'open' });
  });

  for (const [code, reason, says] of [
    ['upstream_credential', 'credential', /^a provider refuses a credential/],
    ['upstream_tls', 'tls', /^no secure connection to a provider/],
  ] as const) {
    it(`logs ${code} once, as an error that an operator has to fix`, async () => {
      const services = createProcess();
      const plugin = await start(services);
      expect(await run(plugin, new GatewayError(code))).to.equal(code);
      expect(await run(plugin)).to.equal('no_target_available');
      expect(services.log.lines).to.have.length(1);
      expect(services.log.lines[0])
        .to.deep.include({ level: 'error' })
        .and.nested.include({ 'fields.reason': reason, 'fields.model': '*' });
      expect(services.log.lines[0]?.text).to.match(says);
    });
  }

  it('reports a cooldown to the primary instance', async () => {
    const services = createProcess();
    await run(await start(services), failure('rate-limit', { retryAfterMs: 5_000 }));
    expect((services.asked[0] as { note: { kind: string; until: number } }).note.kind).to.equal('cooling');
    expect((services.asked[0] as { note: { until: number } }).note.until - Date.now()).to.be.within(1_000, 5_001);
  });

  it('logs once that the primary instance does not take reports', async () => {
    const services = { ...createProcess(), primary: { call: () => Promise.reject(new Error('gone')) } };
    const plugin = await start(services, { cooldown: { rateLimit: '1ms' } });
    for (const retryAfterMs of [10, 30]) {
      await run(plugin, failure('rate-limit', { retryAfterMs }));
      await new Promise((resolve) => setTimeout(resolve, retryAfterMs + 5));
    }
    expect(services.log.lines.map(({ text }) => text)).to.deep.equal([
      'the main thread does not accept reports of circuits: GET /admin/circuits is stale',
    ]);
  });

  it('counts responses that broke after they had begun as failures, and no others', async () => {
    const services = createProcess();
    const plugin = await start(services, { circuit: { calls: 1 } });
    expect(await run(plugin)).to.equal('ok');
    const record: AttemptRecord = { ...sampleRecord, target: 'one/a' };
    plugin.observe?.(createTestExchange({ targets }), {
      ...record,
      ending: { reason: 'complete', usage: undefined, outputChars: 1 },
    });
    plugin.observe?.(createTestExchange({ targets }), { ...record, committed: false, failure: 'transient' });
    expect(await run(plugin)).to.equal('ok');
    expect(services.log.lines).to.deep.equal([]);
    plugin.observe?.(createTestExchange({ targets }), {
      ...record,
      ending: { reason: 'truncated', usage: undefined, outputChars: 1 },
    });
    plugin.observe?.(createTestExchange({ targets }), {
      ...record,
      ending: { reason: 'truncated', usage: undefined, outputChars: 1 },
    });
    expect(services.log.lines.map(({ text }) => text)).to.deep.equal(['a circuit has opened']);
  });
});

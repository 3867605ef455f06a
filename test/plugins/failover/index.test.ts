import { expect } from 'chai';
import failover from '../../../plugins/failover/index.ts';
import { GatewayError, type AttemptRecord, type PluginInstance, type Services } from '../../../core/index.ts';
import { createTestServices } from '../../../core/testing/services.ts';
import {
  createExchange,
  createLogList,
  createReply,
  createTarget,
  sampleRecord,
} from '../../core/exchange/sample-exchange.ts';
import { failure, optionsOf } from './setup.ts';

const targets = [createTarget('one/a')];

/** The services of one process, with its shared objects. */
const createProcess = (): Services & { readonly asked: unknown[]; readonly log: ReturnType<typeof createLogList> } => {
  const kept = new Map<string, unknown>();
  const asked: unknown[] = [];
  const services = createTestServices({
    shared: <T>(key: string, create: () => T): T => {
      if (!kept.has(key)) kept.set(key, create());
      return kept.get(key) as T;
    },
    primary: { call: async (message) => void asked.push(message) },
  });
  return { ...services, asked, log: createLogList() };
};
const start = async (services: Services, config: Readonly<Record<string, unknown>> = {}): Promise<PluginInstance> =>
  failover.create(optionsOf({ retries: 0, wait: '0s', ...config }), services);
const run = async ({ strategy }: PluginInstance, fail?: GatewayError): Promise<string> => {
  const exchange = createExchange({ targets, startedAt: performance.now() });
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
      'the primary process does not accept reports of circuits: GET /admin/circuits is stale',
    ]);
  });

  it('counts responses that broke after they had begun as failures, and no others', async () => {
    const services = createProcess();
    const plugin = await start(services, { circuit: { calls: 1 } });
    expect(await run(plugin)).to.equal('ok');
    const record: AttemptRecord = { ...sampleRecord, target: 'one/a' };
    plugin.observe?.(createExchange({ targets }), {
      ...record,
      ending: { reason: 'complete', usage: undefined, outputChars: 1 },
    });
    plugin.observe?.(createExchange({ targets }), { ...record, committed: false, failure: 'transient' });
    expect(await run(plugin)).to.equal('ok');
    expect(services.log.lines).to.deep.equal([]);
    plugin.observe?.(createExchange({ targets }), {
      ...record,
      ending: { reason: 'truncated', usage: undefined, outputChars: 1 },
    });
    plugin.observe?.(createExchange({ targets }), {
      ...record,
      ending: { reason: 'truncated', usage: undefined, outputChars: 1 },
    });
    expect(services.log.lines.map(({ text }) => text)).to.deep.equal(['a circuit has opened']);
  });
});

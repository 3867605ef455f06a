import { expect } from 'chai';
import OpenAI from 'openai';
import { createKeepingVendor, type KeepingVendor } from './keeping-vendor.ts';
import { someTokens } from '../../matrix/wires.ts';
import { builtIns, KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { entryOf, RESPONSES } from '../../support/scene.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { until } from '../../support/until.ts';

const CAP = 1_000;
const HOUR_MS = 3_600_000;
/** Longer than the wait for the second call to the vendor, and shorter than the lease of a reservation. */
const NEXT_CALL_MS = 10_000;
/** A day later is in the same month, and so in the same budget. */
const FROM = Date.UTC(2026, 0, 15);
const request = { model: RESPONSES, input: 'Hello', background: true, max_output_tokens: CAP } as const;

describe('a background response whose end the vendor does not report', () => {
  let vendor: KeepingVendor;
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let client: OpenAI;
  /** By how much the monotonic and the wall clock are ahead. */
  let ahead = 0;
  let wallAhead = 0;
  beforeEach(async () => {
    ahead = 0;
    wallAhead = 0;
    vendor = createKeepingVendor();
    upstream = await startUpstream();
    upstream.answer = vendor.answer;
    const settings = {
      providers: { openai: { use: 'openai', config: { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/v1` } } },
      models: { [RESPONSES]: { ...entryOf(RESPONSES, 'responses'), price: { input: 1, output: 10 } } },
      organizations: {
        acme: { projects: { web: { keys: { alice: { key: KEY, limits: [{ cost: 5, per: 'month' }] } } } } },
      },
      plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: 'rate-limit' }, { use: 'ledger' }],
    };
    const startedAt = performance.now();
    const monotonic = (): number => performance.now() + ahead;
    const clock = { now: () => Math.round(FROM + wallAhead + monotonic() - startedAt), monotonic };
    gateway = await startTestGateway(settings, builtIns, clock);
    client = new OpenAI({ apiKey: KEY, baseURL: `${gateway.url}/v1`, maxRetries: 0, timeout: 20_000 });
  });
  afterEach(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const create = async (): Promise<{ readonly response: string; readonly id: string }> => {
    const { data, request_id: id } = await client.responses.create(request).withResponse();
    return { response: data.id, id: id ?? '' };
  };
  const endsOf = (id: string) =>
    gateway.exchanges().filter((line) => line['request_id'] === id && line['operation'] === 'background');
  const admin = async (path: string): Promise<string> =>
    (await send(gateway.gateway.admin.url, { method: 'GET', path })).text;
  const spent = async (): Promise<number> => {
    const { limits } = JSON.parse(await admin('/admin/limits')) as {
      readonly limits: readonly { readonly unit: string; readonly used: number }[];
    };
    return limits.find(({ unit }) => unit === 'cost')?.used ?? Number.NaN;
  };
  /** Expects what was reserved as its charge: its row, its line, its limit, the metrics. */
  const expectReserved = async (id: string): Promise<void> => {
    await until('its end is logged', () => endsOf(id).length > 0);
    expect(endsOf(id)).to.have.length(1);
    const [end] = endsOf(id);
    expect(end).to.include({ outcome: 'unfinished', tokens_estimated: true, tokens_out: CAP });
    const cost = Number(end!['cost_micro']);
    expect(cost).to.be.above(CAP * 10 - 1);
    expect(await spent()).to.be.closeTo(cost / 1e6, 1e-9);
    type Row = Readonly<Record<string, unknown>>;
    let rows: readonly Row[] = [];
    await until('its row is settled', async () => {
      rows = (JSON.parse(await admin('/admin/requests')) as { readonly requests: readonly Row[] }).requests;
      return rows.some((row) => row['id'] === id && row['outcome'] === 'unfinished');
    });
    expect(rows.filter((row) => row['id'] === id)).to.have.length(1);
    expect(await admin('/metrics')).to.include('koine_background_settled_total{result="lost"} 1');
  };

  it('is followed for 24 hours, and then charged what it had reserved', async () => {
    const { response, id } = await create();
    wallAhead = 23 * HOUR_MS;
    ahead += NEXT_CALL_MS;
    const retrieved = (): number => vendor.kept.get(response)?.retrieved ?? 0;
    await until('it is still retrieved', () => retrieved() > 0);
    expect(endsOf(id)).to.deep.equal([]);
    const before = retrieved();
    wallAhead = 24 * HOUR_MS;
    ahead += NEXT_CALL_MS;
    await expectReserved(id);
    expect(retrieved()).to.equal(before);
    vendor.end(response);
    expect(await client.responses.retrieve(response)).to.include({ status: 'completed' });
    expect(endsOf(id)).to.have.length(1);
  });

  it('is charged what it had reserved when the vendor has it no more', async () => {
    const { response, id } = await create();
    vendor.forget(response);
    await expectReserved(id);
  });

  it('is followed on after an error of the vendor other than a 404', async () => {
    const { response, id } = await create();
    let failed = 0;
    upstream.answer = (reply) => {
      failed += 1;
      reply.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"message":"Overloaded."}}');
    };
    await until('it is retrieved', () => failed > 0);
    expect(endsOf(id)).to.deep.equal([]);
    upstream.answer = vendor.answer;
    vendor.end(response);
    await until('its end is logged', () => endsOf(id).length > 0);
    expect(endsOf(id)[0]).to.include({ outcome: 'ok', tokens_out: someTokens.output });
  });
});

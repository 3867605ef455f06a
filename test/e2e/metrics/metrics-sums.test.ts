import { expect } from 'chai';
import { parseMetrics, sumOf, type Family } from '../../support/parse-metrics.ts';
import { startKoine, type KoineProcess } from '../../processes/koine-process.ts';
import { callOf } from '../../support/calls.ts';
import { goodHeaders, send } from '../../support/http.ts';

const MODEL = 'simulator/chat';
const TOTAL = 'koine_http_requests_total';
const settings = {
  models: {
    [MODEL]: { targets: [{ provider: 'simulator', model: 'chat' }], price: { input: 2, output: 8 } },
    'simulator/broken': {
      targets: [{ provider: 'simulator', model: 'chat?status=503' }],
      price: { input: 2, output: 8 },
    },
  },
  plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: 'cache-accounting' }, { use: 'ledger' }],
};

/** Status as the client saw it; undefined where it left. */
type Call = (url: string, turn: number) => Promise<number | undefined>;
const ask =
  (client: 'chat' | 'messages', stream: boolean, directive: string, model = MODEL): Call =>
  async (url, turn) => {
    const more = {
      messages: [{ role: 'user', content: `Hi ${'and '.repeat(turn)}[[simulator ${directive}]]` }],
      max_tokens: 50,
    };
    return (await send(url, callOf(client, model, { stream, more }))).status;
  };
const leave: Call = async (url) => {
  const controller = new AbortController();
  const { path, body } = callOf('chat', MODEL, {
    stream: true,
    more: { messages: [{ role: 'user', content: 'Hi [[simulator words=1000 pace=1000]]' }] },
  });
  const { body: stream } = await fetch(url + path, {
    method: 'POST',
    headers: goodHeaders,
    body,
    signal: controller.signal,
  });
  await stream?.getReader().read();
  controller.abort();
  return undefined;
};

/** Those of whom the ledger knows come first. */
const admitted: readonly Call[] = [
  ask('chat', false, 'words=20'),
  ask('messages', true, 'words=30'),
  ask('chat', true, 'cut=after:3'),
  ask('messages', false, '', 'simulator/broken'),
  leave,
];
const refused: readonly Call[] = [
  async (url) => (await send(url, { ...callOf('chat', MODEL), headers: { authorization: 'Bearer nobody' } })).status,
  async (url) => (await send(url, { path: '/v1/messages', body: 'no json' })).status,
  async (url) => (await send(url, callOf('chat', 'nobody/knows'))).status,
  async (url) => (await send(url, { path: '/nowhere', body: '' })).status,
  async (url) => (await send(url, { method: 'GET', path: '/v1/models' })).status,
];
const TURNS = 12;

interface Totals {
  readonly exchanges: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly cost: string;
}

for (const workers of [1, 4]) {
  describe(`after a mixed load on ${workers === 1 ? 'one process' : `${workers} processes`}, the metrics`, () => {
    let koine: KoineProcess;
    let families: ReadonlyMap<string, Family>;
    let usage: Totals;
    const statuses: (number | undefined)[] = [];

    const scrape = async () =>
      parseMetrics((await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} })).text);
    const exchanges = () => koine.lines().filter(({ message }) => message === 'exchange');
    const readUsage = async (): Promise<Totals> =>
      (
        JSON.parse((await send(koine.adminUrl, { method: 'GET', path: '/admin/usage', headers: {} })).text) as {
          readonly totals: Totals;
        }
      ).totals;
    before(async () => {
      koine = await startKoine({ server: { workers }, ...settings });
      const calls = Array.from({ length: TURNS }, (_, turn) =>
        [...admitted, ...refused].map((call) => call(koine.url, turn)),
      );
      statuses.push(...(await Promise.all(calls.flat())));
      const deadline = performance.now() + 30_000;
      do {
        await new Promise((resolve) => setTimeout(resolve, 100));
        [families, usage] = [await scrape(), await readUsage()];
      } while (
        (sumOf(families, TOTAL) < statuses.length ||
          usage.exchanges < TURNS * admitted.length ||
          exchanges().length < TURNS * admitted.length) &&
        performance.now() < deadline
      );
    });
    after(() => koine?.end());

    it('the metrics equal what the clients saw', () => {
      expect(sumOf(families, TOTAL))
        .to.equal(statuses.length)
        .and.equal(TURNS * (admitted.length + refused.length));
      for (const [status, seen] of Map.groupBy(
        statuses.filter((one) => one !== undefined),
        (one) => one,
      )) {
        // Who leaves a stream has seen its 200.
        const left = status === 200 ? TURNS : 0;
        expect(sumOf(families, TOTAL, { code: String(status) }), String(status)).to.equal(seen.length + left);
      }
      expect(sumOf(families, TOTAL, { outcome: 'client_closed' })).to.equal(TURNS);
      expect(sumOf(families, 'koine_requests_in_flight')).to.equal(0);
    });

    it('the metrics equal the ledger: exchanges by outcome, tokens and money', () => {
      expect(usage.exchanges).to.equal(TURNS * admitted.length);
      for (const outcome of ['ok', 'upstream_error', 'client_closed'])
        expect(sumOf(families, TOTAL, { outcome, operation: 'generate' }), outcome)
          .to.equal(usage.outcomes[outcome])
          .and.be.greaterThan(0);
      const tokens = (type: string): number => sumOf(families, 'koine_tokens_total', { type });
      expect([tokens('input'), tokens('output')]).to.deep.equal([usage.tokens.input, usage.tokens.output]);
      expect(usage.tokens.output).to.be.greaterThan(0);
      expect(sumOf(families, 'koine_cost_total')).to.be.closeTo(Number(usage.cost), 1e-9);
      expect(Number(usage.cost)).to.be.greaterThan(0);
    });

    it('the metrics equal the access log', () => {
      const lines = exchanges();
      const sum = (field: string): number => lines.reduce((total, line) => total + Number(line[field] ?? 0), 0);
      expect(sumOf(families, TOTAL, { operation: 'generate' })).to.equal(lines.length);
      expect(sumOf(families, 'koine_tokens_total', { type: 'input' })).to.equal(sum('tokens_in'));
      expect(sumOf(families, 'koine_response_body_bytes_sum')).to.equal(sum('bytes_out'));
    });
  });
}

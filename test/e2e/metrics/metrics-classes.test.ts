import { expect } from 'chai';
import { dirname, join } from 'node:path';
import { classOf } from '../../../core/api/internal.ts';
import type { OutcomeClass } from '../../../core/api/index.ts';
import type { Figures } from '../../../plugins/ledger/api/figures.ts';
import type { OutcomeName } from '../../../plugins/ledger/tables.ts';
import { readLedger } from '../../ledger/read-ledger.ts';
import { startKoine, type KoineProcess } from '../../processes/koine-process.ts';
import { callOf } from '../../support/calls.ts';
import { KEY } from '../../support/gateway.ts';
import { goodHeaders, send } from '../../support/http.ts';
import { parseMetrics, sumOf, type Family } from '../../support/parse-metrics.ts';
import { until } from '../../support/until.ts';

const MODEL = 'simulator/chat';
const TOTAL = 'koine_http_requests_total';
const LIMITED = 'key-with-a-limit-0123456789';
const settings = {
  organizations: {
    acme: {
      projects: {
        web: {
          keys: { alice: { key: KEY }, limited: { key: LIMITED, limits: [{ requests: 1, per: '1h' }] } },
        },
      },
    },
  },
  plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: 'rate-limit' }, { use: 'ledger' }],
};

type Send = (url: string) => Promise<number>;
const ask =
  (stream: boolean, directive: string): Send =>
  async (url) => {
    const more = { messages: [{ role: 'user', content: `Hi [[simulator ${directive}]]` }] };
    return (await send(url, callOf('chat', MODEL, { stream, more }))).status;
  };
const leave: Send = async (url) => {
  const controller = new AbortController();
  const { path, body } = callOf('chat', MODEL, {
    stream: true,
    more: { messages: [{ role: 'user', content: 'Hi [[simulator words=1000 pace=1000]]' }] },
  });
  const { status, body: stream } = await fetch(url + path, {
    method: 'POST',
    headers: goodHeaders,
    body,
    signal: controller.signal,
  });
  await stream?.getReader().read();
  controller.abort();
  return status;
};
const askWith =
  (key: string): Send =>
  async (url) =>
    (await send(url, { ...callOf('chat', MODEL), headers: { ...goodHeaders, authorization: `Bearer ${key}` } })).status;

interface Kind {
  readonly send: Send;
  /** What the client sees. The status alone does not have the class. */
  readonly status: number;
  readonly class: OutcomeClass;
  /** Whether it was admitted, and so has a row. */
  readonly admitted: boolean;
}
const kinds: readonly Kind[] = [
  { send: ask(false, 'words=5'), status: 200, class: 'success', admitted: true },
  { send: ask(true, 'words=5'), status: 200, class: 'success', admitted: true },
  { send: ask(false, 'words=6'), status: 200, class: 'success', admitted: true },
  { send: ask(false, 'status=400'), status: 400, class: 'client_error', admitted: true },
  { send: leave, status: 200, class: 'client_error', admitted: true },
  { send: ask(false, 'status=503'), status: 503, class: 'failure', admitted: true },
  { send: ask(false, 'status=429'), status: 429, class: 'failure', admitted: true },
  { send: ask(true, 'cut=after:3'), status: 200, class: 'failure', admitted: true },
  { send: askWith('unknown'), status: 401, class: 'client_error', admitted: false },
  {
    send: async (url) => (await send(url, callOf('chat', 'simulator/unknown'))).status,
    status: 404,
    class: 'client_error',
    admitted: false,
  },
  {
    send: async (url) => (await send(url, { path: '/nowhere', body: '' })).status,
    status: 404,
    class: 'client_error',
    admitted: false,
  },
  { send: askWith(LIMITED), status: 429, class: 'limited', admitted: false },
];
const TURNS = 6;
const classNames = ['success', 'client_error', 'limited', 'failure'] as const;
type Classes = Readonly<Record<OutcomeClass, number>>;

const countBy = (count: (name: OutcomeClass) => number): Classes => ({
  success: count('success'),
  client_error: count('client_error'),
  limited: count('limited'),
  failure: count('failure'),
});
const rateOf = ({ success, failure }: Classes): number => success / (success + failure);

for (const workers of [1, 2]) {
  describe(`the classes of requests, with ${workers === 1 ? 'one process' : 'two workers'}`, () => {
    let koine: KoineProcess;
    let families: ReadonlyMap<string, Family>;
    let usage: Figures;
    let byClient: Classes;
    let admittedByClient: Classes;

    const get = async (path: string): Promise<string> =>
      (await send(koine.adminUrl, { method: 'GET', path, headers: {} })).text;
    before(async () => {
      koine = await startKoine({ server: { workers }, ...settings });
      // The first request of the limited key is admitted.
      expect(await askWith(LIMITED)(koine.url)).to.equal(200);
      const calls = Array.from({ length: TURNS }, () => kinds).flat();
      const statuses = await Promise.all(calls.map((kind) => kind.send(koine.url)));
      expect(statuses).to.deep.equal(calls.map(({ status }) => status));
      const seen = [...calls, { class: 'success', admitted: true }];
      byClient = countBy((name) => seen.filter((kind) => kind.class === name).length);
      admittedByClient = countBy((name) => seen.filter((kind) => kind.class === name && kind.admitted).length);
      await until('all requests in metrics and ledger', async () => {
        families = parseMetrics(await get('/metrics'));
        usage = (JSON.parse(await get('/admin/usage')) as { readonly totals: Figures }).totals;
        return (
          sumOf(families, TOTAL) === seen.length && usage.exchanges === seen.filter(({ admitted }) => admitted).length
        );
      });
    });
    after(() => koine?.end());

    it('are the same in the metrics as for the clients', () =>
      expect(countBy((name) => sumOf(families, TOTAL, { class: name }))).to.deep.equal(byClient));

    it('are the same in the access log as for the clients', () => {
      const results = koine
        .lines()
        .filter(({ message }) => message === 'exchange' || message === 'request')
        .map(({ outcome }) => classOf(outcome as OutcomeName));
      expect(countBy((name) => results.filter((result) => result === name).length)).to.deep.equal(byClient);
    });

    it('are the same in the usage API as for the clients, of requests that were admitted', async () => {
      expect(countBy((name) => usage[name])).to.deep.equal(admittedByClient);
      expect(usage.exchanges).to.equal(classNames.reduce((sum, name) => sum + usage[name], 0));
      const { lines } = JSON.parse(await get('/admin/usage?by=key')) as { readonly lines: readonly Figures[] };
      expect(countBy((name) => lines.reduce((sum, line) => sum + line[name], 0))).to.deep.equal(admittedByClient);
    });

    it('are the same in the rows of the ledger as in the usage API', async () => {
      const rows = await readLedger(`sqlite:${join(dirname(koine.file), 'koine.db')}`, (database) =>
        database.selectFrom('ledger').select('outcome').where('state', 'in', ['settled', 'abandoned']).execute(),
      );
      const results = rows.map(({ outcome }) => classOf(outcome ?? 'abandoned'));
      expect(countBy((name) => results.filter((result) => result === name).length)).to.deep.equal(
        countBy((name) => usage[name]),
      );
    });

    it('give one success rate, for clients, metrics and usage API', () => {
      const inMetrics = countBy((name) => sumOf(families, TOTAL, { class: name }));
      expect([rateOf(inMetrics), usage.successRate]).to.deep.equal([rateOf(byClient), rateOf(byClient)]);
      // 4xx statuses and limits of this gateway are not in it.
      expect(rateOf(byClient)).to.equal((3 * TURNS + 1) / (6 * TURNS + 1));
    });
  });
}

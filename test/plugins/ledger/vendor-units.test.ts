import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UsageReport } from '../../../plugins/ledger/api/report.ts';
import { reconcile } from '../../../plugins/ledger/reconcile/command.ts';
import { callOf } from '../../support/calls.ts';
import { goodHeaders, send } from '../../support/http.ts';
import { parseMetrics, sumOf } from '../../support/parse-metrics.ts';
import { MESSAGES, startScene, type Scene } from '../../support/scene.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { answerJson } from '../../support/upstream.ts';

const folder = createTemporaryFolder();
after(() => folder.remove());

/** The answer of a vendor that searched twice and fetched a page. */
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Hello.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: {
    input_tokens: 10,
    output_tokens: 5,
    server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 },
    service_tier: 'standard',
    inference_geo: 'us',
  },
};

describeOnBoth('units that a vendor reports', (databases) => {
  let scene: Scene;
  let database: string;
  const get = async (path: string): Promise<string> =>
    (await send(scene.gateway.gateway.admin.url, { method: 'GET', path, headers: {} })).text;
  const readUsage = async (): Promise<UsageReport> => JSON.parse(await get('/admin/usage')) as UsageReport;
  before(async () => {
    database = await databases.fresh();
    const spool = { path: join(folder.path, 'ledger.spool') };
    scene = await startScene({
      store: { database },
      plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: 'ledger', config: { spool } }],
    });
    scene.upstream.answer = (response) => answerJson(response, message);
    for (const client of ['messages', 'chat'] as const)
      expect((await send(scene.gateway.url, { ...callOf(client, MESSAGES), headers: goodHeaders })).status).to.equal(
        200,
      );
    await until('both are in the ledger', async () => (await readUsage()).totals.exchanges === 2);
  });
  after(() => scene.stop());

  it('units are in the rows with tier and region, native and translated', async () =>
    expect(
      await databases.ask(database, 'SELECT web_searches, web_fetches, images, tier, region FROM ledger'),
    ).to.deep.equal(['2', '1', '0', 'standard', 'us', '2', '1', '0', 'standard', 'us']));

  it('units are in the usage of operators and of the caller, and in the metrics', async () => {
    const units = { webSearches: 4, webFetches: 2, images: 0, seconds: 0, characters: 0 };
    expect((await readUsage()).totals.units).to.deep.equal(units);
    const own = await send(scene.gateway.url, { method: 'GET', path: '/v1/usage', headers: goodHeaders });
    expect((JSON.parse(own.text) as UsageReport).totals.units).to.deep.equal(units);
    const families = parseMetrics(await get('/metrics'));
    const unit = 'web_searches';
    expect(sumOf(families, 'koine_usage_units_total', { provider: 'anthropic', model: MESSAGES, unit })).to.equal(4);
  });

  it("units agree with the vendor's usage report, and a missing search is a difference", async () => {
    const compare = async (searches: number): Promise<readonly [code: number, text: string]> => {
      const [endedAt = ''] = await databases.ask(database, 'SELECT max(ended_at) FROM ledger');
      const day = new Date(Number(endedAt)).toISOString().slice(0, 10);
      const file = join(folder.path, 'usage.csv');
      writeFileSync(
        file,
        'usage_date_utc,model_version,usage_input_tokens_no_cache,usage_output_tokens,web_search_count\n' +
          `${day},claude-sonnet-4-5-20250929,20,10,${searches}\n`,
      );
      const lines: string[] = [];
      const context = { options: {}, databaseUrl: database, providers: ['anthropic'] };
      const print = (line: string): void => void lines.push(line);
      return [await reconcile.run(['--bill', file], { ...context, print }), lines.join('\n')];
    };
    expect(await compare(4)).to.deep.equal([0, 'No differences in 3 figures.']);
    const [code, text] = await compare(5);
    expect(code).to.equal(1);
    expect(text).to.match(/claude-sonnet-4-5 {2}webSearches +5 +4 +-20\.00 %/);
    expect(text).to.match(/claude-sonnet-4-5: searches, images or seconds, .*, 2 rows, .*req_/);
  });
});

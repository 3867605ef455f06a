import { expect } from 'chai';
import { definePlugin, type Strategy } from '../../../core/api/index.ts';
import { parseMetrics, sumOf } from '../../support/parse-metrics.ts';
import { callOf } from '../../support/calls.ts';
import { builtIns, startTestGateway } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';

/** Every target twice, until one answers. */
const insist: Strategy = async (exchange, attempt) => {
  let failure: unknown;
  for (const target of exchange.targets.flatMap((one) => [one, one])) {
    try {
      return await attempt(target, target.credentials[0] ?? '');
    } catch (thrown) {
      failure = thrown;
    }
  }
  throw failure;
};
const insisting = definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'insisting',
  schema: { type: 'object' },
  create: () => ({ strategy: insist }),
});

describe('metrics of an exchange with several attempts', () => {
  it('attempts are counted separately, and waiting does not count as overhead', async () => {
    const gateway = await startTestGateway(
      {
        providers: { broken: { use: 'simulator' }, good: { use: 'simulator' } },
        models: {
          'house/talk': {
            targets: [
              { provider: 'broken', model: 'chat?status=500' },
              { provider: 'good', model: 'chat' },
            ],
          },
        },
        plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: 'insisting' }],
      },
      { ...builtIns, plugin: { ...builtIns.plugin, insisting } },
    );
    try {
      expect((await send(gateway.url, callOf('chat', 'house/talk'))).status).to.equal(200);
      await gateway.settled(1);
      const families = parseMetrics(
        (await send(gateway.gateway.admin.url, { method: 'GET', path: '/metrics', headers: {} })).text,
      );
      const tries = families
        .get('koine_upstream_attempts_total')
        ?.samples.map(({ labels: { provider, outcome, attempt }, value }) => [provider, outcome, attempt, value]);
      expect(tries).to.deep.equal([
        ['broken', 'upstream_error', 'first', 1],
        ['broken', 'upstream_error', 'retry', 1],
        ['good', 'ok', 'fallback', 1],
      ]);
      expect(families.get('koine_tokens_total')?.samples.map(({ labels }) => labels['provider']))
        .to.include('good')
        .and.not.include('broken');
      expect(sumOf(families, 'koine_http_requests_total', { outcome: 'ok' })).to.equal(1);
      expect(sumOf(families, 'koine_overhead_duration_seconds_count', { phase: 'request' })).to.equal(0);
      expect(sumOf(families, 'koine_overhead_duration_seconds_count', { phase: 'response' })).to.equal(1);
      expect(sumOf(families, 'koine_candidates_exhausted_total')).to.equal(0);
    } finally {
      await gateway.stop();
    }
  });
});

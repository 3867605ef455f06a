import { expect } from 'chai';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { parseMetrics } from '../support/parse-metrics.ts';
import { callOf } from '../support/calls.ts';
import { builtIns, startTestGateway } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { requirePromtool, runPromtool } from '../support/servers/promtool.ts';

const folder = new URL('../../deploy/prometheus/', import.meta.url);
const read = (path: string): unknown => parse(readFileSync(new URL(path, folder), 'utf8'), { merge: true });
const cases = readdirSync(new URL('tests/', folder));

interface Case {
  readonly alertname: string;
  readonly exp_alerts?: readonly { readonly exp_labels: { readonly burn?: string } }[];
}

describe('the alerts in deploy/', () => {
  const all = (
    read('rules.yml') as {
      readonly groups: readonly {
        readonly rules: readonly { readonly alert?: string; readonly labels?: { readonly burn?: string } }[];
      }[];
    }
  ).groups.flatMap((group) => group.rules);
  const rules = all.flatMap(({ alert, labels = {} }) => (alert === undefined ? [] : [{ alert, labels }]));
  const tried = cases.flatMap((file) =>
    (
      read(`tests/${file}`) as { readonly tests: readonly { readonly alert_rule_test: readonly Case[] }[] }
    ).tests.flatMap((test) => test.alert_rule_test),
  );

  it('each alert has a test in which it fires, and one in which it does not', () => {
    const lacking = rules.filter(({ alert, labels: { burn } }) => {
      const outcomes = new Set(
        tried
          .filter(({ alertname }) => alertname === alert)
          .map(({ exp_alerts = [] }) => exp_alerts.some(({ exp_labels }) => exp_labels.burn === burn)),
      );
      return outcomes.size < 2;
    });
    expect(lacking.map(({ alert, labels: { burn = '' } }) => `${alert} ${burn}`)).to.deep.equal([]);
  });

  it('alerts are valid Prometheus rules, in a valid configuration', async function () {
    requirePromtool(this);
    const { code, out, complaints } = await runPromtool([
      'check',
      'config',
      new URL('prometheus.yml', folder).pathname,
    ]);
    expect([code, complaints]).to.deep.equal([0, '']);
    expect(out).to.include(`SUCCESS: ${all.length} rules found`);
  });

  for (const file of cases) {
    it(`alerts fire exactly as in tests/${file}`, async function () {
      requirePromtool(this);
      const { code, complaints } = await runPromtool(['test', 'rules', new URL(`tests/${file}`, folder).pathname]);
      expect(code, complaints).to.equal(0);
    });
  }
});

describe('the dashboard in deploy/', () => {
  const temporary = createTemporaryFolder();
  after(() => temporary.remove());

  it('the panels of the dashboard have valid expressions', async function () {
    requirePromtool(this);
    const { panels } = read('../grafana/dashboards/koine.json') as {
      readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
    };
    const rules = panels
      .flatMap(({ targets = [] }) => targets)
      .map(({ expr }, index) => ({
        record: `panel:${index}`,
        expr: expr.replaceAll('$__rate_interval', '5m').replaceAll(/"\$\w+"/g, '".*"'),
      }));
    const file = join(temporary.path, 'panels.yml');
    writeFileSync(file, stringify({ groups: [{ name: 'panels', rules }] }));
    const { code, out, complaints } = await runPromtool(['check', 'rules', file]);
    expect([code, complaints]).to.deep.equal([0, '']);
    expect(out).to.include(`SUCCESS: ${rules.length} rules found`);
  });
});

describe('the metrics that a gateway exports', () => {
  let exported: string;
  before(async function () {
    requirePromtool(this);
    const plugins = Object.keys(builtIns.plugin).map((use) =>
      use === 'metrics' ? { use, config: { genaiSemconv: true, labels: ['project'] } } : { use },
    );
    const gateway = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: {
        'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }], price: { input: 1, output: 2 } },
      },
      plugins,
    });
    try {
      await send(gateway.url, callOf('chat', 'simulator/chat', { stream: true }));
      await gateway.settled(1);
      exported = (await send(gateway.gateway.admin.url, { method: 'GET', path: '/metrics', headers: {} })).text;
    } finally {
      await gateway.stop();
    }
  });

  it('exported metrics are valid for promtool, without a lint finding', async () => {
    // Metrics without samples are not exported; their names are checked with made-up ones.
    const more = Array.from(parseMetrics(exported), ([name, { type, samples }]) => {
      if (samples.length > 0) return '';
      const histogram = `${name}_bucket{le="+Inf"} 0\n${name}_sum 0\n${name}_count 0\n`;
      return `# HELP ${name} Help.\n# TYPE ${name} ${type}\n${type === 'histogram' ? histogram : `${name} 0\n`}`;
    });
    const checks = await Promise.all([exported, more.join('')].map((text) => runPromtool(['check', 'metrics'], text)));
    const complaints = checks.flatMap((check) => check.complaints.split('\n')).filter((line) => line !== '');
    expect(complaints).to.deep.equal([]);
    expect(checks.map(({ code }) => code)).to.deep.equal([0, 0]);
  });

  it('promtool rejects metrics with one invalid line', async () => {
    const { code, complaints } = await runPromtool(['check', 'metrics'], `${exported}koine_build_info{version="1} 1\n`);
    expect(code, complaints).to.equal(1);
  });
});

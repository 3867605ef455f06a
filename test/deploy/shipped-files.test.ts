import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { parseMetrics, type Family } from '../support/parse-metrics.ts';
import { callOf } from '../support/calls.ts';
import { builtIns, startTestGateway } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { findImbalance, groupedBy, usesIn } from './promql.ts';

const deploy = new URL('../../deploy/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, deploy), 'utf8');

interface Rule {
  readonly alert: string;
  /** The name of a recording rule, which is no alert. */
  readonly record?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string; readonly burn?: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook: string };
}
interface Rules {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly datasource: { readonly uid: string };
  readonly targets: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}
interface Dashboard {
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

const allRules = (parse(read('prometheus/rules.yml')) as Rules).groups.flatMap((group) => group.rules);
const rules = allRules.filter(({ record }) => record === undefined);
const dashboard = JSON.parse(read('grafana/dashboards/koine.json')) as Dashboard;
const rows = dashboard.panels.filter(({ type }) => type === 'row');
const charts = dashboard.panels.filter(({ type }) => type !== 'row');

/** Exported only by a gateway with workers: test/e2e/metrics/metrics-workers.test.ts checks them. */
const ofWorkers: Readonly<Record<string, readonly string[]>> = {
  koine_workers: [],
  koine_worker_restarts_total: ['reason'],
};
/** Labels that Prometheus, Kubernetes and operators add, and that of buckets. */
const always = ['instance', 'job', 'pod', 'node', 'environment', 'le'];

const expressions: readonly (readonly [where: string, expression: string])[] = [
  ...allRules.map(({ alert, record, expr }) => [record ?? `the alert ${alert}`, expr] as const),
  ...charts.flatMap(({ title, targets }) => targets.map(({ expr }) => [`the panel ${title}`, expr] as const)),
  ...dashboard.templating.list.flatMap(({ name, definition }) =>
    definition === undefined ? [] : [[`the variable ${name}`, definition] as const],
  ),
];

describe('the files in deploy/', () => {
  let families: ReadonlyMap<string, Family>;
  const page = readFileSync(new URL('../../docs/reference/metrics.md', import.meta.url), 'utf8');
  /** The labels of every metric in docs/reference/metrics.md, which another test compares with the exported ones. */
  const labels = new Map(
    Array.from(
      page.matchAll(/^\| `(\w+)` \| (?:counter|gauge|histogram)\b[^|]*\| ([^|]*) \|/gm),
      ([, name = '', list = '']) => [name, [...list.matchAll(/`(\w+)`/g)].map(([, label = '']) => label)],
    ),
  );

  before(async () => {
    const plugins = Object.keys(builtIns.plugin).map((use) =>
      use === 'metrics' ? { use, config: { labels: ['project'] } } : { use },
    );
    const gateway = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
      plugins,
    });
    await send(gateway.url, callOf('chat', 'simulator/chat'));
    families = parseMetrics(
      (await send(gateway.gateway.admin.url, { method: 'GET', path: '/metrics', headers: {} })).text,
    );
    await gateway.stop();
  });

  /** A histogram is listed under one name and queried under three. */
  const familyOf = (metric: string): string | undefined =>
    [metric, metric.replace(/_(?:bucket|sum|count)$/, '')].find((name) => families.has(name) || name in ofWorkers);

  for (const [where, expression] of expressions) {
    it(`${where} uses metrics that a gateway exports, with their labels`, () => {
      expect(findImbalance(expression), expression).to.equal(undefined);
      const uses = usesIn(expression);
      const known = uses.map(({ metric }) => familyOf(metric));
      expect(
        uses.filter((_, index) => known[index] === undefined),
        'not exported',
      ).to.deep.equal([]);
      for (const [index, { metric, labels: used }] of uses.entries()) {
        const own = [...(labels.get(known[index] ?? '') ?? []), ...always];
        expect(own, metric).to.include.members([...used]);
        if (metric.endsWith('_bucket')) expect(families.get(known[index] ?? '')?.type, metric).to.equal('histogram');
      }
      const grouped = groupedBy(expression);
      const all = [...uses.flatMap((_, index) => labels.get(known[index] ?? '') ?? []), ...always];
      expect(all).to.include.members([...grouped]);
    });
  }

  it('the dashboard has sections, whose panels fill their rows without overlap and use the selected data source', () => {
    const { panels, uid } = dashboard;
    expect(uid).to.equal('koine');
    expect(rows.map(({ title }) => title)).to.deep.equal([
      'Overview',
      'Latency',
      'Providers',
      'Usage and cost',
      'Budgets and limits',
      'Projects',
      'Gateway',
    ]);
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).to.equal(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size, 'overlap').to.equal(cells.length);
    expect(cells.length, 'gaps').to.equal(24 * Math.max(...panels.map(({ gridPos: { y, h } }) => y + h)));
    const sources = charts.flatMap(({ datasource, targets }) => [
      datasource.uid,
      ...targets.map((target) => target.datasource.uid),
    ]);
    expect(new Set(sources)).to.deep.equal(new Set(['${DS_PROMETHEUS}']));
  });

  it('the dashboard begins with a row of figures, and each panel is filtered by environment and instance', () => {
    expect(charts.slice(0, 8).map(({ type, gridPos: { y } }) => [type, y])).to.deep.equal(
      Array.from({ length: 8 }, () => ['stat', 1]),
    );
    expect(dashboard.templating.list.map(({ name }) => name)).to.deep.equal([
      'DS_PROMETHEUS',
      'environment',
      'instance',
      'route',
      'provider',
      'model',
      'project',
    ]);
    const selectors = charts.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => expr.match(/koine_\w+\{[^}]*/g) ?? []),
    );
    expect(selectors.length).to.be.greaterThan(40);
    expect(
      selectors.filter((one) => !one.includes('environment=~"$environment"') || !one.includes('instance=~"$instance"')),
    ).to.deep.equal([]);
  });

  it('alerts have a summary and a description, and all of them are documented', () => {
    const names = rules.map(({ alert, labels: { burn = '', severity } }) => `${alert} ${burn} ${severity}`);
    expect(new Set(names).size).to.equal(names.length);
    for (const {
      alert,
      labels: { severity },
      annotations,
    } of rules) {
      expect(['page', 'warn'], alert).to.include(severity);
      expect(annotations.summary.length * annotations.description.length, alert).to.be.greaterThan(0);
    }
    const listed = Array.from(
      read('README.md').matchAll(/^\| (\w+)(?:, `burn="(\w+)"`)? \|.*\| ([\w -]+) \| (page|warn) \|$/gm),
      ([, alert, burn = '', time = '', severity]) => `${alert} ${burn} ${time.replace(' ', '')} ${severity}`,
    );
    const writeTime = (time = '-'): string => (time === '0m' ? '-' : time);
    expect(listed).to.have.members(
      rules.map((rule) => `${rule.alert} ${rule.labels.burn ?? ''} ${writeTime(rule.for)} ${rule.labels.severity}`),
    );
  });

  it('the runbook has a section for each alert, in their order, with the meaning, the signs and the remedy', () => {
    const runbook = readFileSync(new URL('../docs/operate/runbook.md', deploy), 'utf8');
    const sections = runbook.split(/^## /m).slice(1);
    const named = sections.map((section) => section.split('\n')[0]);
    expect(named).to.deep.equal([...new Set(rules.map(({ alert }) => alert))]);
    for (const section of sections)
      expect(section.match(/^\*\*(?:What it means|How to see it|What to do)\.\*\*/gm), section).to.deep.equal([
        '**What it means.**',
        '**How to see it.**',
        '**What to do.**',
      ]);
    for (const { alert, annotations } of rules)
      expect(annotations.runbook).to.equal(`docs/operate/runbook.md#${alert.toLowerCase()}`);
  });

  it('sums of alerts keep the labels of environments: they leave out labels by name', () => {
    const sums = allRules.flatMap(({ expr }) => expr.match(/\b(?:sum|max|count|avg|min)\b[^(]*\(/g) ?? []);
    expect(sums.length).to.be.greaterThan(20);
    expect(sums.filter((sum) => !sum.includes(' without '))).to.deep.equal([]);
  });

  it('the command of docs/operate/runbook.md makes each path to the runbook a link', () => {
    const page = readFileSync(new URL('../docs/operate/runbook.md', deploy), 'utf8');
    const command = /^sed .* (?=>my-rules\.yml$)/m.exec(page)?.[0] ?? '';
    const root = new URL('..', deploy).pathname;
    const linked = parse(execFileSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' })) as Rules;
    const alerts = linked.groups.flatMap((group) => group.rules).filter(({ record }) => record === undefined);
    expect(alerts.map(({ annotations }) => Object.entries(annotations).at(-1))).to.deep.equal(
      rules.map(({ annotations }) => ['runbook_url', `https://git.example.com/koine/${annotations.runbook}`]),
    );
  });

  it('the runbook names only metrics that are documented, with labels that they have', () => {
    const runbook = readFileSync(new URL('../docs/operate/runbook.md', deploy), 'utf8');
    const prose = runbook.replaceAll(/^```[^]*?^```$/gm, '');
    const uses = [...prose.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => usesIn(code));
    expect(uses.length).to.be.greaterThan(20);
    for (const { metric, labels: used } of uses) {
      expect(familyOf(metric), metric).to.not.equal(undefined);
      expect([...(labels.get(familyOf(metric) ?? '') ?? []), ...always], metric).to.include.members([...used]);
    }
  });

  it('the files in deploy/ link only to existing pages', () => {
    const pages = rules.flatMap(({ annotations: { description } }) => description.match(/docs\/[\w/-]+\.md/g) ?? []);
    const there = readdirSync(new URL('../docs/', deploy), { recursive: true }).map((name) => `docs/${String(name)}`);
    expect(there).to.include.members(pages);
  });

  it('the files in deploy/ connect Prometheus and Grafana', () => {
    const { datasources } = parse(read('grafana/provisioning/datasources/prometheus.yaml')) as {
      readonly datasources: readonly { readonly uid: string; readonly type: string }[];
    };
    expect(datasources.map(({ uid, type }) => [uid, type])).to.deep.equal([['koine-prometheus', 'prometheus']]);
    expect(read('grafana/dashboards/koine.json')).to.include('"value": "koine-prometheus"');
    expect(parse(read('grafana/provisioning/dashboards/koine.yaml'))).to.have.nested.property(
      'providers[0].options.path',
      '/var/lib/grafana/dashboards',
    );
    expect(parse(read('prometheus/prometheus.yml')))
      .to.have.property('rule_files')
      .that.deep.equals(['rules.yml']);
    expect(parse(read('prometheus/prometheus.yml'))).to.have.nested.property('scrape_configs[0].job_name', 'koine');
  });
});

describe('the PromQL reader of these tests', () => {
  it('the PromQL reader rejects unbalanced brackets and quotes', () => {
    const found = ['sum(a)', 'sum(a', 'sum(a))', 'a{b="c"', 'a{b="}"}', 'a{b="c}', 'rate(a[5m)]', "a{b='\"'}"].map(
      (expression) => findImbalance(expression) === undefined,
    );
    expect(found).to.deep.equal([true, false, false, false, true, false, false, true]);
  });

  it('the PromQL reader finds metrics with their labels, and grouping labels', () => {
    const expression = 'sum by (le, model) (rate(koine_a_total{b="x", c=~"y|z"}[5m])) / process_open_fds';
    expect(usesIn(expression)).to.deep.equal([
      { metric: 'koine_a_total', labels: ['b', 'c'] },
      { metric: 'process_open_fds', labels: [] },
    ]);
    expect(groupedBy(expression)).to.deep.equal(['le', 'model']);
  });
});

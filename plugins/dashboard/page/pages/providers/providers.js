/** @import { Route } from '../../data/route.js' */
/** @import { Sample } from '../../data/metrics-text.js' */
/** @import { Circuit } from './circuits.js' */
import { Choice } from '../../components/choice.js';
import { html } from '../../components/html.js';
import { Page, Panel } from '../../components/page.js';
import { Table } from '../../components/table/table.js';
import { NO_VALUE, formatCount, formatMs, formatShare, formatName } from '../../data/format.js';
import { request } from '../../data/api.js';
import { quantile, readBuckets, readSamples, sum } from '../../data/metrics-text.js';
import { usePoll } from '../../data/poll.js';
import { changeQuery } from '../../data/route.js';
import { Circuits, ProviderState, readCircuits } from './circuits.js';
import { ConfiguredModels } from './configured.js';
import { HealthTable, healthRanges, readHealth } from './health.js';

/** @param {readonly Sample[]} samples */
const countErrors = (samples) => {
  /** @type {Map<string, number>} */
  const errors = new Map();
  for (const { name, labels, value } of samples) {
    const outcome = labels['outcome'] ?? '';
    if (name === 'koine_upstream_attempts_total' && outcome !== 'ok' && value > 0)
      errors.set(outcome, (errors.get(outcome) ?? 0) + value);
  }
  return [...errors]
    .sort(([, one], [, other]) => other - one)
    .map(([outcome, count]) => `${formatName(outcome)} ${formatCount(count)}`);
};

/** @param {string} provider @param {readonly Sample[]} all @param {readonly Circuit[] | undefined} circuits */
const describeProvider = (provider, all, circuits) => {
  const samples = all.filter(({ labels }) => labels['provider'] === provider);
  const calls = sum(samples, 'koine_upstream_attempts_total');
  const durations = readBuckets(samples, 'koine_upstream_duration_seconds', ({ outcome }) => outcome === 'ok');
  /** @param {number} part */
  const formatLatency = (part) => {
    const found = quantile(durations, part);
    if (found === undefined) return NO_VALUE;
    const [from, to] = [found.from, found.to].map((seconds) => seconds * 1_000);
    const step = to === Infinity ? `over ${formatMs(from)}` : `${formatMs(from)} to ${formatMs(to)}`;
    return html`≈ ${formatMs(found.value * 1_000)}<span class="muted below">${step}</span>`;
  };
  const errors = countErrors(samples);
  const models = [...new Set(samples.map(({ labels }) => labels['model'] ?? '').filter((name) => name !== ''))];
  return {
    key: provider,
    cells: [
      provider,
      circuits === undefined
        ? NO_VALUE
        : html`<${ProviderState} provider=${provider} models=${models} circuits=${circuits} />`,
      formatCount(calls),
      formatShare(
        sum(samples, 'koine_upstream_attempts_total', ({ outcome }) => outcome === 'ok'),
        calls,
      ),
      formatLatency(0.5),
      formatLatency(0.95),
      errors.length === 0 ? 'none' : errors.join(', '),
    ],
  };
};

const columns = [
  { title: 'Provider' },
  { title: 'Circuit' },
  { title: 'Calls', isNumber: true },
  { title: 'Success rate', isNumber: true },
  { title: 'p50 latency', isNumber: true, not: /** @type {const} */ ('small') },
  { title: 'p95 latency', isNumber: true, not: /** @type {const} */ ('small') },
  { title: 'Errors', not: /** @type {const} */ ('small') },
];

/** @param {AbortSignal} signal */
const readMetrics = async (signal) => readSamples(await (await request('/metrics', { signal })).text());

/** Calls, latency and errors of each provider. @param {{ circuits: readonly Circuit[] | undefined }} props */
const Calls = ({ circuits }) => {
  const polled = usePoll(readMetrics, 10_000);
  /** @param {readonly Sample[]} samples */
  const show = (samples) => {
    const called = samples
      .filter(({ name }) => name === 'koine_upstream_attempts_total')
      .map(({ labels }) => labels['provider'] ?? '');
    const rows = [...new Set(called)].sort().map((name) => describeProvider(name, samples, circuits));
    return html`<${Table}
      caption="Calls to providers"
      empty="No provider has been called yet."
      columns=${columns}
      rows=${rows}
    />`;
  };
  return html`<${Panel}
    id="calls"
    title="Calls to providers"
    note="Each attempt, since the gateway started. Latencies are estimates within a step of a histogram"
    polled=${polled}
    show=${show}
    notConfigured="The plugin metrics is not configured: add “use: metrics” to the plugins of gateway.yaml."
  />`;
};

/** @param {{ route: Route, range: string }} props */
const Health = ({ route, range }) => {
  const polled = usePoll((signal) => readHealth(range, signal), 15_000, range);
  const controls = html`<div class="controls">
    <${Choice}
      id="health-range"
      label="Period"
      value=${range}
      options=${Object.entries(healthRanges).map(([name, { title }]) => [name, title])}
      choose=${(/** @type {string} */ chosen) => changeQuery(route, { range: chosen })}
    />
  </div>`;
  return html`<${Panel}
    id="health"
    title="Health over time"
    isTitleHidden
    polled=${polled}
    controls=${controls}
    notConfigured="The plugin ledger is not configured: add “use: ledger” to the plugins of gateway.yaml."
    show=${(/** @type {import('./health.js').Health} */ health) => html`
      <div class="panel-head">
        <h2>Providers</h2>
        <p class="muted">
          Requests by the provider that answered, and failed attempts. One cell is one ${healthRanges[range]?.cell}.
          Latencies are off by at most 9%.
        </p>
      </div>
      <${HealthTable} health=${health} by="provider" />
      <div class="panel-head"><h2>Models</h2></div>
      <${HealthTable} health=${health} by="model" />
    `}
  />`;
};

const NOTE = 'Success rate: successful requests, of those that succeeded or failed';

/** Health of providers and models, and the circuits of failover. @param {{ route: Route }} props */
export const Providers = ({ route }) => {
  const circuits = usePoll(readCircuits, 5_000);
  const { range = '24h' } = route.query;
  return html`<${Page} title="Models & providers" note=${NOTE}>
    <${Health} route=${route} range=${range} />
    <${Calls} circuits=${circuits.data} />
    <${Panel}
      id="circuits"
      title="Circuits"
      polled=${circuits}
      notConfigured="The plugin failover is not configured: there are no circuits."
      show=${(/** @type {readonly Circuit[]} */ list) => html`<${Circuits} circuits=${list} />`}
    />
    <${ConfiguredModels} />
  <//>`;
};

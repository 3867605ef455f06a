/** @import { Polled } from '../data/poll.js' */
/** @import { Sample } from '../data/metrics-text.js' */
/** @import { Circuit } from './circuits.js' */
import { Badge } from '../components/badge.js';
import { html } from '../components/html.js';
import { Section } from '../components/section.js';
import { Table } from '../components/table.js';
import { NO_VALUE, formatCount, formatMs, formatShare, formatName } from '../data/format.js';
import { quantile, readBuckets } from '../data/histogram.js';
import { usePoll } from '../data/poll.js';
import { sum } from '../data/snapshots.js';
import { Circuits, readCircuits, worstOf } from './circuits.js';

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
    const seconds = quantile(durations, part);
    return formatMs(seconds === undefined ? undefined : seconds * 1_000);
  };
  const errors = countErrors(samples);
  return {
    key: provider,
    cells: [
      provider,
      circuits === undefined
        ? NO_VALUE
        : html`<${Badge} state=${worstOf(circuits.filter((circuit) => circuit.provider === provider))} />`,
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

const NoCircuits = () => html`<p class="muted">The plugin failover is not configured: there are no circuits.</p>`;
const columns = [
  { title: 'Provider' },
  { title: 'Circuit' },
  { title: 'Calls', isNumber: true },
  { title: 'Success rate', isNumber: true },
  { title: 'p50 latency', isNumber: true },
  { title: 'p95 latency', isNumber: true },
  { title: 'Errors' },
];

/**
 * Calls, latency and errors of each provider, and open circuits.
 * @param {{ samples: Polled<readonly Sample[]>, configured: readonly string[] }} props
 */
export const Providers = ({ samples, configured }) => {
  const circuits = usePoll(readCircuits, 5_000);
  /** @param {readonly Sample[]} all */
  const show = (all) => {
    const called = all
      .filter(({ name }) => name === 'koine_upstream_attempts_total')
      .map(({ labels }) => labels['provider'] ?? '');
    const names = [...new Set([...configured, ...called])].sort();
    const rows = names.map((name) => describeProvider(name, all, circuits.data));
    const table = html`<${Table} caption="Calls to providers" columns=${columns} rows=${rows} />`;
    return html`
      ${names.length === 0 ? html`<p class="card empty">No provider has been called yet.</p>` : table}
      ${circuits.isNotConfigured ? html`<${NoCircuits} />` : html`<${Circuits} circuits=${circuits.data ?? []} />`}
    `;
  };
  return html`<${Section}
    id="providers"
    title="Providers"
    note="Since the gateway started"
    polled=${samples}
    show=${show}
    notConfigured="The plugin metrics is not configured: add “use: metrics” to the plugins of gateway.yaml."
  />`;
};

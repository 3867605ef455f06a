/** @import { Polled } from './poll.js' */
/** @import { Sample } from './metrics-text.js' */
/** @import { Circuit } from './circuits.js' */
import { Badge } from './badge.js';
import { Circuits, readCircuits, worstOf } from './circuits.js';
import { NOTHING, writeCount, writeMs, writeShare, writeWord } from './format.js';
import { quantile, readBuckets } from './histogram.js';
import { html } from './html.js';
import { sum } from './moments.js';
import { usePoll } from './poll.js';
import { Section } from './section.js';
import { Table } from './table.js';

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
    .map(([outcome, count]) => `${writeWord(outcome)} ${writeCount(count)}`);
};

/** @param {string} provider @param {readonly Sample[]} all @param {readonly Circuit[] | undefined} circuits */
const describeProvider = (provider, all, circuits) => {
  const samples = all.filter(({ labels }) => labels['provider'] === provider);
  const calls = sum(samples, 'koine_upstream_attempts_total');
  const durations = readBuckets(samples, 'koine_upstream_duration_seconds', ({ outcome }) => outcome === 'ok');
  /** @param {number} part */
  const latency = (part) => {
    const seconds = quantile(durations, part);
    return writeMs(seconds === undefined ? undefined : seconds * 1_000);
  };
  const errors = countErrors(samples);
  return {
    key: provider,
    cells: [
      provider,
      circuits === undefined
        ? NOTHING
        : html`<${Badge} word=${worstOf(circuits.filter((circuit) => circuit.provider === provider))} />`,
      writeCount(calls),
      writeShare(
        sum(samples, 'koine_upstream_attempts_total', ({ outcome }) => outcome === 'ok'),
        calls,
      ),
      latency(0.5),
      latency(0.95),
      errors.length === 0 ? 'none' : errors.join(', '),
    ],
  };
};

const columns = [
  { title: 'Provider' },
  { title: 'Circuit' },
  { title: 'Calls', isNumber: true },
  { title: 'Answered well', isNumber: true },
  { title: 'p50', isNumber: true },
  { title: 'p95', isNumber: true },
  { title: 'Errors' },
];

/**
 * Who answers behind the gateway, and how well.
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
    return html`
      ${names.length === 0 ? html`<p class="card empty">No provider has been called yet.</p>` : html`<${Table} caption="Calls to providers" columns=${columns} rows=${names.map((name) => describeProvider(name, all, circuits.data))} />`}
      ${circuits.isAbsent ? html`<p class="soft">The plugin failover is not configured: there are no circuits.</p>` : html`<${Circuits} circuits=${circuits.data ?? []} />`}
    `;
  };
  return html`<${Section}
    id="providers"
    title="Providers"
    note="Since the gateway started"
    polled=${samples}
    show=${show}
    absent="The plugin metrics is not configured: add “use: metrics” to the plugins of gateway.yaml."
  />`;
};

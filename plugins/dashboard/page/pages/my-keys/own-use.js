/** @import { RequestRow } from '../../data/requests.js' */
/** @import { UsageReport } from '../../data/usage-report.js' */
import { Outcome } from '../../components/badge.js';
import { html } from '../../components/html.js';
import { Panel } from '../../components/page.js';
import { Table } from '../../components/table/table.js';
import { Tiles } from '../../components/tiles.js';
import { requestJson } from '../../data/api.js';
import { NO_VALUE, formatCompact, formatCount, formatDollars, formatRate, formatTime } from '../../data/format.js';
import { usePoll } from '../../data/poll.js';
import { modelOf } from '../../data/requests.js';

const DAY = 86_400_000;
const NO_LEDGER = 'This gateway keeps no usage: an operator can add the plugin ledger.';

/** @param {AbortSignal} signal */
const readUsage = async (signal) => {
  const query = new URLSearchParams({ from: new Date(Date.now() - 30 * DAY).toISOString(), by: 'model', top: '100' });
  return /** @type {UsageReport} */ (await requestJson(`/admin/me/usage?${query}`, signal));
};

/** @typedef {RequestRow & { readonly message: string | null }} OwnRequest */
/** @param {AbortSignal} signal */
const readFailures = async (signal) => {
  const from = new Date(Date.now() - 7 * DAY).toISOString();
  const query = new URLSearchParams({ from, outcome: 'failure,client_error,limited', limit: '50' });
  return /** @type {{ requests: readonly OwnRequest[] }} */ (await requestJson(`/admin/me/requests?${query}`, signal))
    .requests;
};

const modelColumns = [
  { title: 'Model', sort: 'model' },
  { title: 'Requests', isNumber: true, sort: 'requests' },
  { title: 'Cost', isNumber: true, sort: 'cost' },
];

/** @param {{ report: UsageReport }} props */
const Spending = ({ report: { totals, lines } }) => html`
  <${Tiles}
    tiles=${[
      { name: 'Cost', value: formatDollars(totals.cost) },
      { name: 'Requests', value: formatCount(totals.exchanges) },
      { name: 'Success rate', value: formatRate(totals.successRate) },
      { name: 'Input tokens', value: formatCompact(totals.tokens.input) },
      { name: 'Output tokens', value: formatCompact(totals.tokens.output) },
    ]}
  />
  ${
    lines.length > 0 &&
    html`<${Table}
      caption="What you used, by model"
      columns=${modelColumns}
      rows=${lines.map((line) => ({
        key: String(line['model']),
        values: { model: String(line['model']), requests: line.exchanges, cost: Number(line.cost) },
        cells: [String(line['model']), formatCount(line.exchanges), formatDollars(line.cost)],
      }))}
      first="-cost"
    />`
  }
`;

const failureColumns = [
  { title: 'Time', isTime: true },
  { title: 'Outcome' },
  { title: 'Model', not: /** @type {const} */ ('small') },
  { title: 'What was wrong' },
];

/** @param {{ requests: readonly OwnRequest[] }} props */
const Failures = ({ requests }) => html`<${Table}
  caption="Your failures"
  empty="None in the last 7 days."
  columns=${failureColumns}
  rows=${requests.map(({ id, time, outcome, status, model, requestedModel, code, message }) => ({
    key: id,
    cells: [
      formatTime(time).slice(5),
      html`<${Outcome} outcome=${outcome} /> <span class="muted">${status}</span>`,
      modelOf({ model, requestedModel }),
      html`<span class="wrap">${message ?? code ?? NO_VALUE}</span>`,
    ],
  }))}
  collapsed=${10}
  file=${{ name: 'failures.csv', read: () => requests }}
/>`;

/** What the own keys have spent, and their requests that failed or were refused. */
export const OwnUse = () => html`
  <${Panel}
    id="own-use"
    title="What you used"
    note="By your active keys, in the last 30 days"
    polled=${usePoll(readUsage, 15_000)}
    notConfigured=${NO_LEDGER}
    show=${(/** @type {UsageReport} */ report) => html`<${Spending} report=${report} />`}
  />
  <${Panel}
    id="own-failures"
    title="What failed"
    note="In the last 7 days"
    polled=${usePoll(readFailures, 15_000)}
    notConfigured=${NO_LEDGER}
    show=${(/** @type {readonly OwnRequest[]} */ requests) => html`<${Failures} requests=${requests} />`}
  />
`;

/** @import { Dimension, UsageReport } from '../../data/usage-report.js' */
import { html } from '../../components/html.js';
import { Path } from '../../components/path.js';
import { Panel } from '../../components/page.js';
import { Table } from '../../components/table/table.js';
import { requestJson } from '../../data/api.js';
import { formatCount, formatDollars, formatRate } from '../../data/format.js';
import { usePoll } from '../../data/poll.js';
import { linkTo } from '../../data/route.js';
import { nameOf, readPeriod, titleOf } from '../../data/usage-report.js';

const ROWS = 5;
const columns = [
  { title: 'Requests', isNumber: true },
  { title: 'Success rate', isNumber: true, not: /** @type {const} */ ('medium') },
  { title: 'Cost', isNumber: true },
];

/** @param {{ report: UsageReport, by: Dimension, title: string }} props */
const List = ({ report: { lines }, by, title }) => {
  const others = by === 'key' ? 'model' : 'key';
  const rows = lines.map((line) => {
    const name = nameOf(line, by);
    const href = linkTo('usage', { query: { [by]: name, by: others } });
    return {
      key: name,
      cells: [
        html`<a class="link wrap" href=${href}><${Path} name=${name} /></a>`,
        formatCount(line.exchanges),
        formatRate(line.successRate),
        formatDollars(line.cost),
      ],
    };
  });
  return html`<${Table}
    caption=${title}
    empty="No usage in the last 24 hours."
    columns=${[{ title: titleOf(by) }, ...columns]}
    rows=${rows}
  />`;
};

/** The names with the highest cost in the last 24 hours. @param {{ by: Dimension, title: string }} props */
export const Top = ({ by, title }) => {
  const load = async (/** @type {AbortSignal} */ signal) => {
    const { from, to } = readPeriod({ range: '24h', from: '', to: '' }, Date.now());
    const query = new URLSearchParams({ from, to, by, top: String(ROWS) });
    return /** @type {UsageReport} */ (await requestJson(`/admin/usage?${query}`, signal));
  };
  return html`<${Panel}
    id=${`top-${by}`}
    title=${title}
    note="Last 24 hours, by cost"
    end=${html`<a href=${linkTo('usage', { query: { by } })}>Usage</a>`}
    polled=${usePoll(load, 15_000, by)}
    notConfigured="The plugin ledger is not configured: add “use: ledger” to the plugins of gateway.yaml."
    show=${(/** @type {UsageReport} */ report) => html`<${List} report=${report} by=${by} title=${title} />`}
  />`;
};

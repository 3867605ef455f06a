/** @import { ListedLimit } from '../../data/limits.js' */
/** @import { File, Pages } from '../../components/table/foot.js' */
/** @import { Order } from '../../components/table/table.js' */
import { html } from '../../components/html.js';
import { Path } from '../../components/path.js';
import { Table } from '../../components/table/table.js';
import { NO_VALUE, formatDollars, formatMinute, formatShare, formatWait } from '../../data/format.js';
import { describeLimit, formatAmount, ownerOf, toneOfLimit, utilization } from '../../data/limits.js';
import { linkTo } from '../../data/route.js';
import { forecast } from '../../data/tenants/forecast.js';

const columns = [
  { title: 'Owner', sort: 'owner' },
  { title: 'Limit', sort: 'limit', not: /** @type {const} */ ('small') },
  { title: 'Used', sort: 'used' },
  { title: 'Resets in', isNumber: true, sort: 'reset' },
];

/** When a budget is spent, or what it comes to. @param {{ limit: ListedLimit }} props */
const Outlook = ({ limit }) => {
  const expected = forecast(limit, Date.now());
  if (expected === undefined) return null;
  const { spentAt, total } = expected;
  return spentAt === undefined
    ? html`<span class="below muted">at this rate ${formatDollars(total)} by the end</span>`
    : html`<span class="below warn">at this rate spent by ${formatMinute(spentAt)}</span>`;
};

/** @param {{ limit: ListedLimit }} props */
const Utilization = ({ limit: listed }) => {
  if (listed.used === undefined) return html`<span>${NO_VALUE}</span>`;
  const part = Math.min(1, Math.max(0, utilization(listed)));
  const tone = toneOfLimit(listed);
  return html`
    <div class="fill">
      <span class="bar" aria-hidden="true"><span class=${tone} style=${{ width: `${part * 100}%` }}></span></span>
      <span
        >${formatAmount(listed.unit, listed.used)} of ${formatAmount(listed.unit, listed.limit)}${' '}
        <span class=${tone === 'good' ? 'muted' : tone}>(${formatShare(listed.used, listed.limit)})</span>${
          listed.refuses ? html`<span class="below warn">has refused a request that did not fit</span>` : null
        }<${Outlook} limit=${listed} /></span
      >
    </div>
  `;
};

/** @param {ListedLimit} limit */
const describeRow = (limit) => {
  const { scope, unit, per, models, each, enforce, resetMs = 0 } = limit;
  const owner = ownerOf(limit);
  const path = html`<${Path} name=${owner} />`;
  const href = linkTo('keys', { query: { find: owner } });
  return {
    key: JSON.stringify([scope, owner, unit, per, models, each, enforce]),
    values: { owner, limit: describeLimit(limit), used: utilization(limit), reset: limit.resetMs },
    cells: [
      html`${scope === 'key' ? html`<a class="link" href=${href}>${path}</a>` : path}
        <span class="muted below not-small">${scope}</span>
        <span class="muted below only-small">${describeLimit(limit)}</span>`,
      html`<span class="wrap">${describeLimit(limit)}</span>`,
      html`<${Utilization} limit=${limit} />`,
      resetMs === 0 ? NO_VALUE : formatWait(resetMs),
    ],
  };
};

/** The orders that the gateway knows. @type {ReadonlySet<string | undefined>} */
const served = new Set(['owner', 'used']);
const servedColumns = columns.map(({ sort, ...column }) => (served.has(sort) ? { ...column, sort } : column));

/**
 * Limits with their use. Without an order of the gateway, the most used ones are first.
 * @param {object} props
 * @param {string} props.caption
 * @param {readonly ListedLimit[]} props.limits
 * @param {string} [props.empty]
 * @param {Order} [props.order]
 * @param {Pages} [props.pages]
 * @param {File} [props.file]
 */
export const LimitTable = ({ caption, limits, order, ...more }) => html`<${Table}
    caption=${caption}
    columns=${order === undefined ? columns : servedColumns}
    rows=${limits.map(describeRow)}
    order=${order}
    first="-used"
    file=${{ name: 'limits.csv', read: () => limits }}
    ...${more}
  />`;

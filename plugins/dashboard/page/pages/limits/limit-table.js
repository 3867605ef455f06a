/** @import { ListedLimit } from '../../data/limits.js' */
import { useState } from 'preact/hooks';
import { ExpandButton } from '../../components/expand-button.js';
import { html } from '../../components/html.js';
import { Path } from '../../components/path.js';
import { Table } from '../../components/table.js';
import { NO_VALUE, formatShare, formatWait } from '../../data/format.js';
import { describeLimit, formatAmount, ownerOf, toneOfLimit, utilization } from '../../data/limits.js';
import { linkTo } from '../../data/route.js';

const COLLAPSED_ROWS = 15;

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
        <span class=${tone === 'good' ? 'muted' : tone}>(${formatShare(listed.used, listed.limit)})</span></span
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

/**
 * Limits with their use, the most used first.
 * @param {{ caption: string, limits: readonly ListedLimit[] }} props
 */
export const LimitTable = ({ caption, limits }) => {
  const [isExpanded, setExpanded] = useState(false);
  const toggle = () => setExpanded(!isExpanded);
  const sorted = [...limits].sort((one, other) => utilization(other) - utilization(one));
  const shown = isExpanded ? sorted : sorted.slice(0, COLLAPSED_ROWS);
  return html`
    <${Table}
      caption=${caption}
      isCaptionHidden=${true}
      columns=${[
        { title: 'Owner' },
        { title: 'Limit', not: 'small' },
        { title: 'Used' },
        { title: 'Resets in', isNumber: true },
      ]}
      rows=${shown.map(describeRow)}
    />
    <${ExpandButton} count=${sorted.length} collapsed=${COLLAPSED_ROWS} isExpanded=${isExpanded} toggle=${toggle} />
  `;
};

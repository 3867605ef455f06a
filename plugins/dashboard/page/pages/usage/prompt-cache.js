/** @import { UsageReport } from '../../data/usage-report.js' */
import { html } from '../../components/html.js';
import { Tiles } from '../../components/tiles.js';
import { formatCompact, formatDollars, formatShare } from '../../data/format.js';

/** Savings of prompt caches in the selected period. @param {{ report: UsageReport }} props */
export const PromptCache = ({ report: { totals } }) => {
  const { tokens, cache } = totals;
  return html`
    <div class="panel-head"><h2>Prompt cache</h2></div>
    <${Tiles}
      tiles=${[
        {
          name: 'Saved',
          value: formatDollars(cache.saved),
          note: 'by reads, less the cost of writes',
          ...(Number(cache.saved) < 0 ? { tone: 'warn' } : {}),
        },
        { name: 'Cache lost to failover', value: formatDollars(cache.lost), note: 'paid again at another target' },
        {
          name: 'Cached input',
          value: formatShare(tokens.cacheRead, tokens.input),
          note: `of ${formatCompact(tokens.input)} tokens`,
        },
        { name: 'Tokens read', value: formatCompact(tokens.cacheRead) },
        {
          name: 'Tokens written',
          value: formatCompact(tokens.cacheWrite5m + tokens.cacheWrite1h + tokens.cacheWrite12h),
          note: `${formatCompact(tokens.cacheWrite1h)} with a lifetime of 1 h`,
        },
      ]}
    />
  `;
};

/** @import { UsageReport } from '../data/usage-report.js' */
import { html } from '../components/html.js';
import { Tiles } from '../components/tiles.js';
import { formatCount, formatDollars, formatShare } from '../data/format.js';

/** Savings of prompt caches in the selected period. @param {{ report: UsageReport }} props */
export const PromptCache = ({ report: { totals } }) => {
  const { tokens, cache } = totals;
  return html`
    <h3>Prompt cache</h3>
    <${Tiles}
      tiles=${[
        {
          name: 'Saved',
          value: formatDollars(cache.saved),
          note: 'by cache reads, less the cost of writes',
          ...(Number(cache.saved) < 0 ? { tone: 'warn' } : {}),
        },
        { name: 'Lost', value: formatDollars(cache.lost), note: 'paid again after conversations changed targets' },
        {
          name: 'Cached input',
          value: formatShare(tokens.cacheRead, tokens.input),
          note: `of ${formatCount(tokens.input)} tokens`,
        },
        { name: 'Tokens read', value: formatCount(tokens.cacheRead) },
        {
          name: 'Tokens written',
          value: formatCount(tokens.cacheWrite5m + tokens.cacheWrite1h),
          note: `${formatCount(tokens.cacheWrite1h)} with a lifetime of 1 h`,
        },
      ]}
    />
  `;
};

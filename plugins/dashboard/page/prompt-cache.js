/** @import { UsageReport } from './usage-report.js' */
import { writeCount, writeDollars, writeShare } from './format.js';
import { html } from './html.js';
import { Tiles } from './tiles.js';

/** What the prompt caches of the providers were worth in the time that was chosen. @param {{ report: UsageReport }} props */
export const PromptCache = ({ report: { totals } }) => {
  const { tokens, cache } = totals;
  return html`
    <h3>Prompt cache</h3>
    <${Tiles}
      tiles=${[
        {
          name: 'Saved',
          value: writeDollars(cache.saved),
          note: 'by reads, less what writes cost',
          ...(Number(cache.saved) < 0 ? { tone: 'warn' } : {}),
        },
        { name: 'Paid again', value: writeDollars(cache.lost), note: 'because conversations moved' },
        {
          name: 'Input from the cache',
          value: writeShare(tokens.cacheRead, tokens.input),
          note: `of ${writeCount(tokens.input)} tokens`,
        },
        { name: 'Tokens read', value: writeCount(tokens.cacheRead) },
        {
          name: 'Tokens written',
          value: writeCount(tokens.cacheWrite5m + tokens.cacheWrite1h),
          note: `${writeCount(tokens.cacheWrite1h)} for an hour`,
        },
      ]}
    />
  `;
};

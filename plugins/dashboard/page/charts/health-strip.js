import { html } from '../components/html.js';
import { formatRate } from '../data/format.js';
import { successRate, toneOfRate } from '../data/outcomes.js';

/**
 * The success rate in each part of a period, as a row of colored cells.
 * @param {object} props
 * @param {string} props.name of what is shown
 * @param {readonly { readonly success: number, readonly failure: number }[]} props.parts
 * @param {(index: number) => string} props.nameOf the time of a part
 */
export const HealthStrip = ({ name, parts, nameOf }) => {
  const rates = parts.map(successRate);
  const known = rates.filter((rate) => rate !== undefined);
  const least = Math.min(...known);
  const summary =
    known.length === 0
      ? `${name}: no requests`
      : `${name}: lowest success rate ${formatRate(least)} at ${nameOf(rates.indexOf(least))}`;
  return html`
    <svg
      class="strip"
      viewBox=${`0 0 ${parts.length * 4} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label=${summary}
    >
      ${rates.map(
        (rate, index) => html`
          <rect key=${index} x=${index * 4} y="0" width="3.2" height="10" class=${toneOfRate(rate) ?? 'none'}>
            <title>${`${nameOf(index)}: ${rate === undefined ? 'no requests' : formatRate(rate)}`}</title>
          </rect>
        `,
      )}
    </svg>
  `;
};

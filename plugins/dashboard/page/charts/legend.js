import { html } from '../components/html.js';
import { nameSeriesColor } from './colors.js';

/**
 * The names and colors of the series of a chart.
 * @param {{ names: readonly string[], colors?: readonly string[], values?: readonly string[] | undefined }} props
 */
export const Legend = ({ names, colors, values }) => html`
  <ul class="legend">
    ${names.map((name, index) => {
      const color = colors?.[index] ?? nameSeriesColor(index);
      return html`<li key=${name}>
        <span class=${`swatch ${color}`} aria-hidden="true"></span>${name}${
          values !== undefined && html` <strong>${values[index]}</strong>`
        }
      </li>`;
    })}
  </ul>
`;

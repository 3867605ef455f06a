import { nameSeriesColor } from './colors.js';
import { html } from './html.js';

/** What the colours of a chart mean. @param {{ names: readonly string[], colors?: readonly string[] }} props */
export const Legend = ({ names, colors }) => html`
  <ul class="legend">
    ${names.map((name, index) => html`<li key=${name}><span class=${`swatch ${colors?.[index] ?? nameSeriesColor(index)}`} aria-hidden="true"></span>${name}</li>`)}
  </ul>
`;

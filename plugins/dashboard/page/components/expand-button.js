import { html } from './html.js';

/**
 * Toggles between the first rows of a list and all of them. Nothing is shown when there are no further rows.
 * @param {{ count: number, collapsed: number, isExpanded: boolean, toggle: () => void }} props
 */
export const ExpandButton = ({ count, collapsed, isExpanded, toggle }) =>
  count > collapsed
    ? html`<button type="button" onClick=${toggle}>${isExpanded ? 'Show less' : `Show all ${count}`}</button>`
    : null;

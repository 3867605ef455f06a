/** @import { Route } from '../../data/route.js' */
import { linkTo } from '../../data/route.js';
import { html } from '../html.js';
import { useAction } from '../submit.js';
import { exportCsv } from './csv.js';

/** @typedef {{ name: string, read: () => Promise<readonly object[]> | readonly object[] }} File */
/** A list that the gateway pages: the position of a page is in the address, so that it can be shared. */
/** @typedef {{ route: Route, next: string | null, first?: string, further?: string }} Pages */

/** @param {{ file: File }} props */
const Export = ({ file: { name, read } }) => {
  const { isBusy, problem, start } = useAction(() => exportCsv(name, read));
  return html`<button type="button" disabled=${isBusy} onClick=${start}>Export CSV</button>
    ${problem !== '' && html`<span class="bad" role="alert">${problem}</span>`}`;
};

/** @param {{ pages: Pages }} props */
const Links = ({ pages: { route, next, first = 'First page', further = 'Next page' } }) => {
  const { page, query } = route;
  /** @param {string} title @param {string | undefined} cursor */
  const link = (title, cursor) =>
    html`<a class="button" href=${linkTo(page, { query: { ...query, cursor } })}>${title}</a>`;
  return html`
    ${query['cursor'] === undefined ? null : link(first, undefined)} ${next === null ? null : link(further, next)}
  `;
};

/**
 * What follows a table: its further rows, its pages, its file.
 * @param {object} props
 * @param {number} props.count
 * @param {number} props.shown
 * @param {boolean} props.isExpanded
 * @param {() => void} props.toggle
 * @param {Pages} [props.pages]
 * @param {File} [props.file]
 */
export const Foot = ({ count, shown, isExpanded, toggle, pages, file }) => {
  const hasMore = isExpanded || count > shown;
  const hasPages = pages !== undefined && (pages.next !== null || pages.route.query['cursor'] !== undefined);
  if (!hasMore && !hasPages && file === undefined) return null;
  return html`<div class="foot">
    ${
      hasMore &&
      html`<button type="button" onClick=${toggle}>${isExpanded ? 'Show less' : `Show all ${count}`}</button>`
    }
    ${hasPages && html`<${Links} pages=${pages} />`}
    ${file !== undefined && html`<span class="end"><${Export} file=${file} /></span>`}
  </div>`;
};

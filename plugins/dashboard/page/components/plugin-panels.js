import { requestJson } from '../data/api.js';
import { usePoll } from '../data/poll.js';
import { useSession } from '../data/session.js';
import { html } from './html.js';
import { Panel } from './page.js';
import { Table } from './table/table.js';
import { Tiles } from './tiles.js';

/** @import { Session } from '../data/session.js' */
/** @import { Column } from './table/table.js' */
/** @import { Tile } from './tiles.js' */

/**
 * `PanelContent` of the API for plugins.
 * @typedef {object} Content
 * @property {readonly Tile[]} [figures]
 * @property {{ readonly columns: readonly Column[], readonly rows: readonly (readonly string[])[] }} [table]
 * @property {string} [text]
 */

/** @param {{ panel: Session['panels'][number] }} props */
const PluginPanel = ({ panel: { path, title, owner } }) => {
  const load = async (/** @type {AbortSignal} */ signal) => /** @type {Content} */ (await requestJson(path, signal));
  /** @param {Content} content */
  const show = ({ figures, table, text }) => html`
    ${figures !== undefined && html`<${Tiles} tiles=${figures} />`}
    ${
      table !== undefined &&
      html`<${Table}
        caption=${title}
        columns=${table.columns}
        rows=${table.rows.map((cells, index) => ({ key: String(index), cells }))}
      />`
    }
    ${text !== undefined && html`<p class="card empty">${text}</p>`}
  `;
  const id = `panel-${path.replaceAll(/[^a-z0-9]+/gi, '-')}`;
  const notConfigured = 'The plugin of this panel is not configured any more.';
  return html`<${Panel}
    id=${id}
    title=${title}
    note=${`From ${owner}`}
    polled=${usePoll(load, 15_000, path)}
    notConfigured=${notConfigured}
    show=${show}
  />`;
};

/**
 * The panels of plugins on a page. Those of a page that the dashboard does not have are on the first one.
 * @param {{ page: string, names: readonly string[] }} props
 */
export const PluginPanels = ({ page, names }) => {
  const { session } = useSession();
  const shown = session.panels.filter((panel) => (names.includes(panel.page) ? panel.page : names[0]) === page);
  return html`${shown.map((panel) => html`<${PluginPanel} key=${panel.path} panel=${panel} />`)}`;
};

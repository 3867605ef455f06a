/** @import { Exchange } from './exchange-row.js' */
import { useState } from 'preact/hooks';
import { html } from '../components/html.js';
import { Section } from '../components/section.js';
import { Table } from '../components/table.js';
import { requestJson } from '../data/api.js';
import { usePoll } from '../data/poll.js';
import { describeRow } from './exchange-row.js';

const FIRST_PAGE_SIZE = 15;
const PAGE_SIZE = 50;
const columns = [
  { title: 'Ended (UTC)' },
  { title: 'Outcome' },
  { title: 'Model' },
  { title: 'Key' },
  { title: 'Duration', isNumber: true },
  { title: 'Input tokens', isNumber: true },
  { title: 'Output tokens', isNumber: true },
  { title: 'Cost', isNumber: true },
  { title: 'Attempts', isNumber: true },
  { title: 'Losses', isNumber: true },
];

/** @param {AbortSignal} signal */
const readExchanges = async (signal) =>
  /** @type {{ exchanges: readonly Exchange[] }} */ (await requestJson('/admin/exchanges', signal)).exchanges;

/** @param {Exchange} exchange @param {string} text @param {string} which */
const matches = (
  { outcome, model = '', key_alias: key = '', project = '', organization = '', user = '', request_id: id },
  text,
  which,
) =>
  (which === 'all' || (which === 'failed') === (outcome !== 'ok')) &&
  [model, key, project, organization, user, id].some((name) => name.includes(text));

/** @param {{ exchanges: readonly Exchange[] }} props */
const List = ({ exchanges }) => {
  const [opened, setOpened] = useState(/** @type {ReadonlySet<string>} */ (new Set()));
  const [text, setText] = useState('');
  const [which, setWhich] = useState('all');
  const [count, setCount] = useState(FIRST_PAGE_SIZE);
  const found = exchanges.filter((exchange) => matches(exchange, text.trim(), which));
  /** @param {string} id */
  const toggle = (id) =>
    setOpened((last) => (last.has(id) ? new Set([...last].filter((one) => one !== id)) : new Set([...last, id])));
  const rows = found.slice(0, count).map((exchange) => describeRow(exchange, opened.has(exchange.request_id), toggle));
  const showMore = () => setCount(count + PAGE_SIZE);
  return html`
    <div class="controls card">
      <div class="choice">
        <label for="exchanges-which">Show</label>
        <select
          id="exchanges-which"
          value=${which}
          onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ event) => setWhich(event.currentTarget.value)}
        >
          <option value="all">All</option>
          <option value="failed">Failed</option>
          <option value="ok">Successful</option>
        </select>
      </div>
      <div class="choice wide">
        <label for="exchanges-text">Find model, key, user or request id</label>
        <input
          id="exchanges-text"
          type="search"
          value=${text}
          onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => setText(event.currentTarget.value)}
        />
      </div>
    </div>
    ${
      found.length === 0
        ? html`<p class="card empty">
            ${exchanges.length === 0 ? 'No requests yet.' : 'No matching requests.'}
          </p>`
        : html`<${Table}
            caption="Recent requests, newest first"
            isCaptionHidden=${true}
            columns=${columns}
            rows=${rows}
          />`
    }
    ${found.length > count ? html`<button type="button" onClick=${showMore}>Show more</button>` : null}
  `;
};

/** The last requests with their attempts. */
export const Exchanges = () => {
  const polled = usePoll(readExchanges, 3_000);
  return html`<${Section}
    id="exchanges"
    title="Recent requests"
    note="The last 200 of this host"
    polled=${polled}
    show=${(/** @type {readonly Exchange[]} */ exchanges) => html`<${List} exchanges=${exchanges} />`}
  />`;
};

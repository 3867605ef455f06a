/** @import { Ended } from './exchange-row.js' */
import { useState } from 'preact/hooks';
import { askJson } from './ask.js';
import { describeRow } from './exchange-row.js';
import { html } from './html.js';
import { usePoll } from './poll.js';
import { Section } from './section.js';
import { Table } from './table.js';

const FEW = 15;
const columns = [
  { title: 'Ended (UTC)' },
  { title: 'Outcome' },
  { title: 'Model' },
  { title: 'Key' },
  { title: 'Took', isNumber: true },
  { title: 'Tokens in', isNumber: true },
  { title: 'Tokens out', isNumber: true },
  { title: 'Cost', isNumber: true },
  { title: 'Attempts', isNumber: true },
  { title: 'Losses', isNumber: true },
];

/** @param {AbortSignal} signal */
const readExchanges = async (signal) =>
  /** @type {{ exchanges: readonly Ended[] }} */ (await askJson('/admin/exchanges', signal)).exchanges;

/** @param {Ended} ended @param {string} text @param {string} which */
const fits = (
  { outcome, model = '', key_alias: key = '', project = '', organization = '', request_id: id },
  text,
  which,
) =>
  (which === 'all' || (which === 'failed') === (outcome !== 'ok')) &&
  [model, key, project, organization, id].some((name) => name.includes(text));

/** @param {{ exchanges: readonly Ended[] }} props */
const List = ({ exchanges }) => {
  const [opened, setOpened] = useState(/** @type {ReadonlySet<string>} */ (new Set()));
  const [text, setText] = useState('');
  const [which, setWhich] = useState('all');
  const [most, setMost] = useState(FEW);
  const found = exchanges.filter((ended) => fits(ended, text.trim(), which));
  /** @param {string} id */
  const toggle = (id) =>
    setOpened((last) => (last.has(id) ? new Set([...last].filter((one) => one !== id)) : new Set([...last, id])));
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
          <option value="ok">Answered well</option>
        </select>
      </div>
      <div class="choice wide">
        <label for="exchanges-text">Find model, key or request id</label>
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
            ${exchanges.length === 0 ? 'Nobody has asked anything yet.' : 'None is like that.'}
          </p>`
        : html`<${Table}
            caption="The latest, newest first"
            isCaptionHidden=${true}
            columns=${columns}
            rows=${found.slice(0, most).map((ended) => describeRow(ended, opened.has(ended.request_id), toggle))}
          />`
    }
    ${found.length > most ? html`<button type="button" onClick=${() => setMost(most + 50)}>Show more</button>` : null}
  `;
};

/** What was asked lately, and how each came to its answer. */
export const Exchanges = () => {
  const polled = usePoll(readExchanges, 3_000);
  return html`<${Section}
    id="exchanges"
    title="Recent requests"
    note="The latest 200 of this host"
    polled=${polled}
    show=${(/** @type {readonly Ended[]} */ exchanges) => html`<${List} exchanges=${exchanges} />`}
  />`;
};

/** @import { LimitList } from '../../data/limits.js' */
/** @import { Route } from '../../data/route.js' */
import { Choice, TextChoice } from '../../components/choice.js';
import { html } from '../../components/html.js';
import { Page } from '../../components/page.js';
import { Panel } from '../../components/panel.js';
import { ownerOf, readLimits, toneOfLimit } from '../../data/limits.js';
import { usePoll } from '../../data/poll.js';
import { changeQuery } from '../../data/route.js';
import { LimitTable } from './limit-table.js';

/** @param {AbortSignal} signal */
const readAll = (signal) => readLimits({}, signal);
const states = /** @type {const} */ ([
  ['', 'All'],
  ['warn', 'Used to 80% and more'],
  ['bad', 'Spent'],
]);

/** @param {{ list: LimitList, query: Readonly<Record<string, string>> }} props */
const Lists = ({ list, query: { owner = '', state = '' } }) => {
  const limits = list.limits.filter((limit) => {
    const tone = toneOfLimit(limit);
    return ownerOf(limit).includes(owner) && (state === '' || tone === 'bad' || tone === state);
  });
  const budgets = limits.filter(({ unit }) => unit === 'cost');
  const rates = limits.filter(({ unit }) => unit !== 'cost');
  if (list.limits.length === 0)
    return html`<p class="card empty">
      No limits are configured. Give a key its limits on the page <a href="#/keys">Keys</a>, or set “limits” of an
      organization or a project in gateway.yaml.
    </p>`;
  if (limits.length === 0) return html`<p class="card empty">No limit matches.</p>`;
  return html`
    ${
      budgets.length === 0
        ? null
        : html`<div class="panel-head"><h2>Budgets</h2></div>
            <${LimitTable} caption="Budgets, most used first" limits=${budgets} />`
    }
    ${
      rates.length === 0
        ? null
        : html`<div class="panel-head"><h2>Rate limits</h2></div>
            <${LimitTable} caption="Rate limits, most used first" limits=${rates} />`
    }
  `;
};

/** The utilization of limits and budgets. @param {{ route: Route }} props */
export const Limits = ({ route }) => {
  const polled = usePoll(readAll, 5_000);
  /** @param {Readonly<Record<string, string | undefined>>} change */
  const change = (change) => changeQuery(route, change);
  const where = polled.data?.store === 'redis' ? 'Counted in Redis, over all hosts' : 'Counted by this host';
  const note = `${where}, most used first${polled.data?.more ? '. Not all limits are listed' : ''}`;
  return html`<${Page} title="Limits" note=${polled.data === undefined ? undefined : note}>
    <${Panel}
      id="limits"
      title="Limits and budgets"
      isTitleHidden
      notConfigured="The plugin rate-limit is not configured: add “use: rate-limit” to the plugins of gateway.yaml."
      polled=${polled}
      controls=${html`<div class="controls">
        <${TextChoice}
          id="limits-owner"
          label="Owner"
          type="search"
          isWide
          placeholder="organization/project/key"
          value=${route.query['owner'] ?? ''}
          choose=${(/** @type {string} */ owner) => change({ owner })}
        />
        <${Choice}
          id="limits-state"
          label="Show"
          value=${route.query['state'] ?? ''}
          options=${states}
          choose=${(/** @type {string} */ state) => change({ state })}
        />
      </div>`}
      show=${(/** @type {LimitList} */ list) => html`<${Lists} list=${list} query=${route.query} />`}
    />
  <//>`;
};

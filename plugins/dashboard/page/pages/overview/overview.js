/** @import { RequestPage } from '../../data/requests.js' */
import { FirstRequest } from '../../components/first-request.js';
import { html } from '../../components/html.js';
import { Page, Panel } from '../../components/page.js';
import { usePoll } from '../../data/poll.js';
import { searchRequests } from '../../data/requests.js';
import { zoneName } from '../../data/zone.js';
import { RequestTable } from '../requests/request-table.js';
import { Attention } from './attention.js';
import { Live } from './live.js';
import { Top } from './top.js';

const ROWS = 8;
const DAY = 86_400_000;

/** @param {AbortSignal} signal */
const readLatest = (signal) =>
  searchRequests({ from: new Date(Date.now() - DAY).toISOString() }, signal, { limit: ROWS });

/** The gateway at a glance. */
export const Overview = () => {
  const latest = usePoll(readLatest, 5_000);
  const isUnused = latest.data?.requests.length === 0;
  return html`<${Page} title="Overview" note=${`Figures of the last 30 seconds, times in ${zoneName()}`}>
    <${Live} />
    ${isUnused && html`<${FirstRequest} title="No requests in the last 24 hours." />`}
    <${Attention} />
    <div class="columns">
      <${Top} by="model" title="Top models" />
      <${Top} by="key" title="Top keys" />
    </div>
    ${
      isUnused
        ? null
        : html`<${Panel}
            id="latest"
            title="Latest requests"
            end=${html`<a href="#/requests">All requests</a>`}
            polled=${latest}
            show=${(/** @type {RequestPage} */ { requests }) =>
              html`<${RequestTable} caption="Latest requests" requests=${requests.slice(0, ROWS)} />`}
          />`
    }
  <//>`;
};

import { Badge } from '../../components/badge.js';
import { html } from '../../components/html.js';
import { Panel } from '../../components/page.js';
import { Table } from '../../components/table/table.js';
import { requestJson } from '../../data/api.js';
import { NO_VALUE, formatTime } from '../../data/format.js';
import { usePoll } from '../../data/poll.js';

/**
 * @typedef {object} Worker
 * @property {number} worker
 * @property {string} state
 * @property {string} since
 * @property {number} failedStarts
 * @property {{ at: string, reason: string, error?: string }} [lastExit]
 */

/** @param {AbortSignal} signal */
const readWorkers = async (signal) =>
  /** @type {{ workers: readonly Worker[] }} */ (await requestJson('/admin/workers', signal)).workers;

const columns = [
  { title: 'Worker' },
  { title: 'State' },
  { title: 'Since', isTime: true },
  { title: 'Failed starts', isNumber: true },
  { title: 'Last exit', not: /** @type {const} */ ('small') },
];

/** The worker threads. */
export const Workers = () => html`<${Panel}
  id="workers"
  title="Workers"
  polled=${usePoll(readWorkers, 5_000)}
  notConfigured="This gateway has no list of workers."
  show=${(/** @type {readonly Worker[]} */ workers) => html`<${Table}
    caption="Workers"
    empty="One thread serves everything."
    columns=${columns}
    rows=${workers.map(({ worker, state, since, failedStarts, lastExit }) => ({
      key: String(worker),
      cells: [
        worker,
        html`<${Badge} state=${state} />`,
        formatTime(since),
        failedStarts,
        lastExit === undefined
          ? NO_VALUE
          : html`<span class="wrap">${formatTime(lastExit.at)} ${lastExit.error ?? lastExit.reason}</span>`,
      ],
    }))}
  />`}
/>`;

/** @import { RequestCharge, RequestDetail, TrailEntry } from '../../data/requests.js' */
import { Outcome } from '../../components/badge.js';
import { Facts } from '../../components/facts.js';
import { html } from '../../components/html.js';
import { Table } from '../../components/table.js';
import { NO_VALUE, formatCount, formatDollars, formatMs, formatName, formatTime } from '../../data/format.js';
import { classOf } from '../../data/outcomes.js';
import { keyOf } from '../../data/requests.js';
import { linkTo } from '../../data/route.js';

/** @param {TrailEntry} attempt @param {number} index */
const describeAttempt = (attempt, index) => {
  const { provider, model, credential, startedMs, durationMs, status, outcome, code, upstreamRequestId } = attempt;
  const facts = [
    status === 0 || status === null ? 'no response' : `status ${status}`,
    code === null ? '' : formatName(code),
    durationMs === null ? '' : formatMs(durationMs),
    startedMs === null ? '' : `started after ${formatMs(startedMs)}`,
    credential === null || credential === 'none' ? '' : `credential ${credential}`,
    upstreamRequestId === null ? '' : `provider’s request id ${upstreamRequestId}`,
  ];
  return html`
    <li key=${index} class=${classOf(outcome) === 'success' ? 'good' : 'bad'}>
      <strong>${provider}/${model}</strong> <${Outcome} outcome=${outcome} />
      <span class="below muted">${facts.filter((fact) => fact !== '').join(' · ')}</span>
    </li>
  `;
};

/** @param {RequestDetail['losses'][number]} loss */
const describeLoss = ({ path, kind, reason }) => `${path} ${kind}${reason === '' ? '' : `: ${reason}`}`;

/** Token counts and units; zeros are left out. @param {Readonly<Record<string, unknown>>} usage */
const describeUsage = (usage) =>
  Object.entries(usage)
    .filter(([name, value]) => name !== 'source' && value !== 0 && value !== null)
    .map(([name, value]) => `${formatName(name)} ${typeof value === 'number' ? formatCount(value) : String(value)}`)
    .join(' · ');

const chargeColumns = [
  { title: 'Target' },
  { title: 'Usage' },
  { title: 'Price', not: /** @type {const} */ ('small') },
  { title: 'Cost', isNumber: true },
];

/** @param {{ charges: readonly RequestCharge[] }} props */
const Charges = ({ charges }) => html`<${Table}
  caption="Charges"
  isCaptionHidden=${true}
  columns=${chargeColumns}
  rows=${charges.map(({ target, usage, cost, price }, index) => ({
    key: String(index),
    cells: [
      target ?? NO_VALUE,
      html`<span class="wrap">${describeUsage(usage)}</span>`,
      price ?? NO_VALUE,
      cost === null ? NO_VALUE : formatDollars(cost),
    ],
  }))}
/>`;

/** @param {RequestDetail} request */
const traceOf = ({ traceId, traceLink }) => {
  if (traceLink !== undefined) return html`<a href=${traceLink} rel="noreferrer">${traceId}</a>`;
  return traceId === null ? undefined : html`<code>${traceId}</code>`;
};

/** @param {RequestDetail} request */
const errorOf = ({ code, message }) => [code, message].filter((part) => part !== null && part !== '').join(': ');

/** @param {RequestDetail} request @returns {readonly (readonly [string, unknown])[]} */
const listFacts = (request) => {
  const key = keyOf(request);
  const { tags, stream, usage, cost, firstContentMs, upstreamRequestId, cache } = request;
  return [
    ['Request', html`<a href=${linkTo('requests', { id: request.id })}><code>${request.id}</code></a>`],
    ['Time', `${formatTime(request.time)} UTC`],
    ['Outcome', html`<${Outcome} outcome=${request.outcome} /> ${request.status}`],
    ['Error', errorOf(request)],
    ['Model', request.model],
    ['Endpoint', `${request.route} (${request.wire}${stream === true ? ', streamed' : ''})`],
    ['Key', key === '' ? undefined : html`<a href=${linkTo('requests', { query: { key } })}>${key}</a>`],
    ['End user', request.user],
    [
      'Tags',
      Object.entries(tags)
        .map((pair) => pair.join('='))
        .join(', '),
    ],
    ['Duration', request.durationMs === null ? undefined : formatMs(request.durationMs)],
    ['Time to first token', firstContentMs === null ? undefined : formatMs(firstContentMs)],
    ['Usage', usage === null ? undefined : describeUsage(usage)],
    ['Cost', cost === null ? undefined : formatDollars(cost)],
    ['Cache saved', Number(cache?.saved ?? 0) === 0 ? undefined : formatDollars(cache?.saved ?? 0)],
    ['Cache lost to failover', Number(cache?.lost ?? 0) === 0 ? undefined : formatDollars(cache?.lost ?? 0)],
    ['Vendor’s model', request.vendorModels?.join(', ')],
    ['Tier', request.tier],
    ['Region', request.region],
    ['Trace', traceOf(request)],
    ['Provider’s request id', upstreamRequestId === null ? undefined : html`<code>${upstreamRequestId}</code>`],
  ];
};

/** Everything that is known about one request. @param {{ request: RequestDetail }} props */
export const RequestFacts = ({ request }) => {
  const { attemptTrail, losses, charges, annotations } = request;
  return html`
    <${Facts} facts=${listFacts(request)} />
    <h3>Attempts</h3>
    ${
      attemptTrail.length === 0
        ? html`<p class="muted">${request.outcome === null ? 'The request is running.' : 'No provider was called.'}</p>`
        : html`<ol class="trail">
            ${attemptTrail.map(describeAttempt)}
          </ol>`
    }
    ${
      losses.length === 0
        ? null
        : html`<h3>Losses in translation</h3>
            <ul>
              ${losses.map(describeLoss).map((loss) => html`<li key=${loss}>${loss}</li>`)}
            </ul>`
    }
    ${charges.length === 0 ? null : html`<h3>Charges</h3><${Charges} charges=${charges} />`}
    ${
      Object.keys(annotations).length === 0
        ? null
        : html`<h3>Annotations</h3><pre class="wrap">${JSON.stringify(annotations, null, 2)}</pre>`
    }
  `;
};

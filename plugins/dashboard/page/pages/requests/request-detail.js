/** @import { RequestCharge, RequestDetail } from '../../data/requests.js' */
import { Outcome } from '../../components/badge.js';
import { Facts } from '../../components/facts.js';
import { html } from '../../components/html.js';
import { Table } from '../../components/table/table.js';
import { NO_VALUE, formatCount, formatDollars, formatMs, formatName } from '../../data/format.js';
import { keyOf } from '../../data/requests.js';
import { linkTo } from '../../data/route.js';
import { useSession } from '../../data/session.js';
import { inBothZones } from '../../data/zone.js';
import { RequestText } from './request-text.js';
import { Timeline } from './timeline.js';

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

/** Where the figures of a price come from. @param {import('../../data/inspector/exchanges.js').PriceSource} source */
const describeSource = ({ page, seen }) => html`<span class="muted below">
  ${page.startsWith('https:') ? html`<a href=${page} rel="noreferrer">${new URL(page).host}</a>` : page}
  ${seen === undefined ? '' : ` as of ${seen}`}
</span>`;

/** @param {{ charges: readonly RequestCharge[] }} props */
const Charges = ({ charges }) => html`<${Table}
  caption="Charges"
  columns=${chargeColumns}
  rows=${charges.map(({ target, usage, cost, price, source }, index) => ({
    key: String(index),
    cells: [
      target ?? NO_VALUE,
      html`<span class="wrap">${describeUsage(usage)}</span>`,
      html`<span class="wrap">${price ?? NO_VALUE}${source === undefined ? null : describeSource(source)}</span>`,
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
    ['Time', inBothZones(request.time)],
    ['Outcome', html`<${Outcome} outcome=${request.outcome} /> ${request.status}`],
    ['Error', errorOf(request)],
    ['Model', request.model],
    ['Asked for the model', request.requestedModel],
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
  const { losses, charges, annotations } = request;
  const { has } = useSession();
  const canTry = has('POST /admin/playground') && request.outcome !== null;
  return html`
    <${Facts} facts=${listFacts(request)} />
    <h3>Life</h3>
    <${Timeline} request=${request} />
    ${
      losses.length > 0 &&
      html`<h3>Losses in translation</h3>
        <ul>
          ${losses.map(describeLoss).map((loss) => html`<li key=${loss}>${loss}</li>`)}
        </ul>`
    }
    ${charges.length > 0 && html`<h3>Charges</h3><${Charges} charges=${charges} />`}
    ${
      Object.keys(annotations).length > 0 &&
      html`<h3>Annotations</h3><pre class="wrap">${JSON.stringify(annotations, null, 2)}</pre>`
    }
    ${has('POST /admin/prompts') && html`<${RequestText} request=${request} />`}
    ${
      canTry &&
      html`<div class="actions">
        <a class="button" href=${linkTo('playground', { query: { request: request.id } })}>Try again</a>
      </div>`
    }
  `;
};

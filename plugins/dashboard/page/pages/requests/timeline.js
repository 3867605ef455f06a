/** @import { ComponentChildren } from 'preact' */
/** @import { RequestDetail, TrailEntry } from '../../data/requests.js' */
/** @import { AdmittedLimit, SkippedTarget } from '../../data/inspector/exchanges.js' */
import { Outcome } from '../../components/badge.js';
import { html } from '../../components/html.js';
import { Table } from '../../components/table/table.js';
import { NO_VALUE, formatCount, formatDollars, formatMs, formatName, formatWait } from '../../data/format.js';
import { describeLimit, formatAmount } from '../../data/limits.js';
import { classOf } from '../../data/outcomes.js';
import { AttemptBars } from './attempt-bars.js';

/**
 * @typedef {object} Step
 * @property {number | null} at milliseconds from the arrival; null: not known
 * @property {'' | 'good' | 'warn' | 'bad'} tone
 * @property {ComponentChildren} title
 * @property {ComponentChildren} [text]
 */

/** @param {readonly (string | undefined | false)[]} facts */
const join = (facts) => facts.filter((fact) => fact !== undefined && fact !== false && fact !== '').join(' · ');

/** @param {RequestDetail} request @returns {Step} */
const describeArrival = ({ route, wire, stream, requestedModel, model }) => ({
  at: 0,
  tone: '',
  title: 'Arrived',
  text: join([
    `${route} (${wire}${stream === true ? ', streamed' : ''})`,
    `asked for ${requestedModel ?? model ?? 'a model that is not known'}`,
  ]),
});

/** @typedef {'small' | 'medium'} Width */
const limitColumns = [
  { title: 'Limit' },
  { title: 'Amount', isNumber: true, not: /** @type {Width} */ ('small') },
  { title: 'Reserved', isNumber: true },
  { title: 'Left', isNumber: true },
  { title: 'Resets in', isNumber: true, not: /** @type {Width} */ ('small') },
];

/** @param {AdmittedLimit} limit @param {number} index */
const describeLimitRow = (limit, index) => {
  const { scope, name, unit, amount, reserves, remaining, spent, resetMs, shadowed } = limit;
  /** @param {number | undefined} value */
  const write = (value) => (value === undefined ? NO_VALUE : formatAmount(unit, value));
  return {
    key: String(index),
    cells: [
      html`<span class="wrap">${scope} ${name}<span class="muted below">${describeLimit(limit)}</span></span>
        ${shadowed && html`<span class="badge warn">would have refused</span>`}`,
      write(amount),
      write(reserves),
      html`${write(remaining)}
        ${spent !== undefined && html`<span class="muted below">${write(spent)} spent</span>`}`,
      resetMs === undefined ? NO_VALUE : formatWait(resetMs),
    ],
  };
};

/** The limits of a request with their figures at its admission. @param {{ limits: readonly AdmittedLimit[] }} props */
const AdmittedLimits = ({ limits }) => html`<${Table}
  caption="Limits at the admission"
  columns=${limitColumns}
  rows=${limits.map(describeLimitRow)}
/>`;

/** @param {RequestDetail} request @returns {readonly Step[]} */
const describeAdmission = ({ limits, attemptTrail, outcome, code, message }) => {
  const error = join([code ?? undefined, message ?? undefined]);
  if (attemptTrail.length === 0 && outcome !== null && classOf(outcome) !== 'success')
    return [{ at: null, tone: 'bad', title: 'Refused before any provider was called', text: error }];
  if (limits === undefined)
    return [{ at: null, tone: '', title: 'Admitted', text: 'Figures of limits are kept for the latest 200 requests.' }];
  if (limits.length === 0) return [{ at: null, tone: '', title: 'Admitted', text: 'No limit applies.' }];
  return [{ at: null, tone: '', title: 'Admitted', text: html`<${AdmittedLimits} limits=${limits} />` }];
};

/** @param {SkippedTarget} skipped @returns {Step} */
const describeSkipped = ({ target, credential, reason }) => ({
  at: null,
  tone: 'warn',
  title: html`<strong>${target}</strong> <span class="badge warn">skipped</span>`,
  text: join([reason, credential !== 'none' && `credential ${credential}`]),
});

/** @param {TrailEntry} attempt @param {boolean} isLast @returns {readonly Step[]} */
const describeAttempt = (attempt, isLast) => {
  const { provider, model, credential, startedMs, durationMs, status, outcome, code, skipped = [], waitedMs } = attempt;
  const { upstreamRequestId, headersMs, ending } = attempt;
  const hasHeaders = headersMs !== undefined && startedMs !== null;
  return [
    ...skipped.map(describeSkipped),
    {
      at: startedMs,
      tone: classOf(outcome) === 'success' ? 'good' : 'bad',
      title: html`<strong>${provider}/${model}</strong> <${Outcome} outcome=${outcome} />`,
      text: join([
        status === 0 || status === null ? 'no response' : `status ${status}`,
        code !== null && formatName(code),
        ending !== undefined && ending !== 'complete' && ending !== code && formatName(ending),
        durationMs !== null && formatMs(durationMs),
        waitedMs !== undefined && `delayed by ${formatMs(waitedMs)}`,
        credential !== null && credential !== 'none' && `credential ${credential}`,
        upstreamRequestId !== null && `provider’s request id ${upstreamRequestId}`,
      ]),
    },
    ...(isLast && hasHeaders
      ? [{ at: startedMs + headersMs, tone: /** @type {const} */ (''), title: 'First byte from the provider' }]
      : []),
  ];
};

/** @param {RequestDetail} request @returns {readonly Step[]} */
const describeEnd = ({ firstContentMs, durationMs, outcome, status, usage, cost, attemptTrail }) => {
  if (outcome === null) return [{ at: null, tone: '', title: 'The request is running' }];
  const [input, output] = [usage?.['input'], usage?.['output']];
  return [
    ...(firstContentMs === null
      ? []
      : [{ at: firstContentMs, tone: /** @type {const} */ (''), title: 'First content' }]),
    {
      at: durationMs,
      tone: classOf(outcome) === 'success' ? 'good' : 'bad',
      title: html`Ended <${Outcome} outcome=${outcome} />`,
      text: join([
        `status ${status}`,
        typeof input === 'number' && `${formatCount(input)} tokens in`,
        typeof output === 'number' && `${formatCount(output)} tokens out`,
        cost !== null && formatDollars(cost),
        attemptTrail.length === 0 && 'no provider was called',
      ]),
    },
  ];
};

/** @param {Step} step @param {number} index */
const describeStep = ({ at, tone, title, text }, index) => html`
  <li key=${index} class=${tone}>
    <span class="at muted">${at === null ? NO_VALUE : formatMs(at)}</span>
    <div>
      ${title}
      ${text === undefined || text === '' ? null : html`<div class="muted small wrap">${text}</div>`}
    </div>
  </li>
`;

/** The life of a request, step by step. @param {{ request: RequestDetail }} props */
export const Timeline = ({ request }) => {
  const { attemptTrail } = request;
  const steps = [
    describeArrival(request),
    ...describeAdmission(request),
    ...attemptTrail.flatMap((attempt, index) => describeAttempt(attempt, index === attemptTrail.length - 1)),
    ...describeEnd(request),
  ];
  return html`
    <${AttemptBars} request=${request} />
    <ol class="trail life">
      ${steps.map(describeStep)}
    </ol>
  `;
};

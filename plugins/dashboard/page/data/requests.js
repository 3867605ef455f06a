/** @import { Exchange } from './exchanges.js' */
import { NotConfigured, requestJson } from './api.js';
import { exchangeToDetail } from './exchanges.js';
import { classOf } from './outcomes.js';

/** @typedef {string | null} Text */
/**
 * A request as the ledger has it: docs/reference/admin.md. A pending one has no outcome yet.
 * @typedef {object} RequestRow
 * @property {string} id
 * @property {string} time
 * @property {Text} organization
 * @property {Text} project
 * @property {Text} key
 * @property {Text} user
 * @property {Text} model
 * @property {Text} provider
 * @property {string} route
 * @property {string} wire
 * @property {boolean | null} stream
 * @property {number | null} status
 * @property {Text} outcome
 * @property {Text} code
 * @property {number | null} durationMs
 * @property {number | null} firstContentMs
 * @property {Readonly<Record<string, unknown>> | null} usage
 * @property {Text} cost dollars
 * @property {Text} traceId
 * @property {Text} upstreamRequestId
 */
/**
 * @typedef {object} TrailEntry
 * @property {Text} provider
 * @property {Text} model
 * @property {Text} credential
 * @property {number | null} startedMs
 * @property {number | null} durationMs
 * @property {number | null} status
 * @property {string} outcome
 * @property {Text} code
 * @property {Text} upstreamRequestId
 */
/**
 * @typedef {object} RequestCharge
 * @property {Text} target
 * @property {Readonly<Record<string, unknown>>} usage
 * @property {Text} cost
 * @property {Text} price
 */
/**
 * @typedef {object} Details
 * @property {readonly TrailEntry[]} attemptTrail
 * @property {readonly { path: string, kind: string, reason: string }[]} losses
 * @property {readonly RequestCharge[]} charges
 * @property {Readonly<Record<string, string>>} tags
 * @property {Readonly<Record<string, unknown>>} annotations
 * @property {Text} message
 * @property {Text} [tier]
 * @property {Text} [region]
 * @property {readonly string[]} [vendorModels]
 * @property {{ saved: Text, lost: Text }} [cache]
 * @property {string} [traceLink]
 */
/** @typedef {RequestRow & Details} RequestDetail */
/**
 * @typedef {object} RequestPage
 * @property {readonly RequestRow[]} requests
 * @property {Text} next to continue the search; a page may be short, or empty, before
 * @property {Text} [searchedTo] the time down to which the ledger has been searched
 * @property {boolean} isRecent without a ledger: these are the requests that the host has in memory
 */

/** Filters of the search, with their titles. */
export const requestFilters = /** @type {const} */ ({
  outcome: 'Outcome',
  model: 'Model',
  key: 'Key',
  organization: 'Organization',
  project: 'Project',
  provider: 'Provider',
  user: 'End user',
  code: 'Error code',
  status: 'Status',
  minDurationMs: 'Took at least (ms)',
  minCost: 'Cost at least (USD)',
  tag: 'Tag (name:value)',
});
/** @typedef {keyof typeof requestFilters} FilterName */
/** @typedef {Readonly<Partial<Record<FilterName | 'from' | 'to', string>>>} RequestQuery */

/** Periods of the search, in milliseconds. @type {Readonly<Record<string, { title: string, ms: number }>>} */
export const requestPeriods = {
  '15m': { title: 'Last 15 minutes', ms: 900_000 },
  '1h': { title: 'Last hour', ms: 3_600_000 },
  '24h': { title: 'Last 24 hours', ms: 86_400_000 },
  '7d': { title: 'Last 7 days', ms: 604_800_000 },
  '30d': { title: 'Last 30 days', ms: 2_592_000_000 },
};

/**
 * Compares a filter with a request in memory.
 * @param {RequestDetail} request
 * @param {string} name
 * @param {string} value
 */
const matches = (request, name, value) => {
  if (name === 'from') return request.time >= value;
  if (name === 'key') return keyOf(request) === value || request.key === value;
  if (name === 'outcome') return request.outcome === value || classOf(request.outcome ?? '') === value;
  if (name === 'minDurationMs') return (request.durationMs ?? 0) >= Number(value);
  if (name === 'minCost') return Number(request.cost ?? 0) >= Number(value);
  if (name === 'tag') return Object.entries(request.tags).some((pair) => pair.join(':') === value);
  return String(/** @type {Readonly<Record<string, unknown>>} */ ({ ...request })[name] ?? '') === value;
};

/** @param {AbortSignal} signal */
const readRecent = async (signal) =>
  /** @type {{ exchanges: readonly Exchange[] }} */ (await requestJson('/admin/exchanges', signal)).exchanges.map(
    exchangeToDetail,
  );

/**
 * Searches the ledger; without it, the requests that this host has in memory.
 * @param {RequestQuery} query
 * @param {AbortSignal} signal
 * @param {{ cursor?: string, limit?: number }} [options]
 * @returns {Promise<RequestPage>}
 */
export const searchRequests = async (query, signal, { cursor, limit = 50 } = {}) => {
  const paging = { limit: String(limit), ...(cursor === undefined ? {} : { cursor }) };
  try {
    const parameters = new URLSearchParams({ ...query, ...paging });
    const page = /** @type {RequestPage} */ (await requestJson(`/admin/requests?${parameters}`, signal));
    return { ...page, isRecent: false };
  } catch (thrown) {
    if (!(thrown instanceof NotConfigured)) throw thrown;
    const requests = (await readRecent(signal)).filter((request) =>
      Object.entries(query).every(([name, value]) => matches(request, name, value)),
    );
    return { requests, next: null, isRecent: true };
  }
};

/** @param {string} id @param {AbortSignal} signal @returns {Promise<RequestDetail | undefined>} */
export const readRequest = async (id, signal) => {
  try {
    return /** @type {RequestDetail} */ (await requestJson(`/admin/requests/${encodeURIComponent(id)}`, signal));
  } catch (thrown) {
    if (!(thrown instanceof NotConfigured)) throw thrown;
    return (await readRecent(signal)).find((request) => request.id === id);
  }
};

/** `acme/web/alice` @param {RequestRow} request */
export const keyOf = ({ organization, project, key }) =>
  [organization, project, key].filter((name) => name !== null && name !== '').join('/');

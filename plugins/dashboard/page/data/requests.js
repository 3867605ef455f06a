/** @import { AdmittedLimit, Exchange, PriceSource, SkippedTarget } from './inspector/exchanges.js' */
import { NotConfigured, orNone, requestJson } from './api.js';
import { exchangeToDetail, readRecentExchange } from './inspector/exchanges.js';
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
 * @property {Text} [requestedModel] what a refused request asked for, if that is no model; the body names it, which
 *   the gateway may not have read
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
 * @property {number} [headersMs] of waiting until the response headers arrived
 * @property {number | undefined} [waitedMs] for which the attempt was delayed
 * @property {string} [ending]
 * @property {readonly SkippedTarget[]} [skipped]
 */
/**
 * @typedef {object} RequestCharge
 * @property {Text} target
 * @property {Readonly<Record<string, unknown>>} usage
 * @property {Text} cost
 * @property {Text} price its version
 * @property {PriceSource | undefined} [source]
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
 * @property {readonly AdmittedLimit[]} [limits] as they were at the admission; absent for older requests
 */
/** @typedef {RequestRow & Details} RequestDetail */
/**
 * @typedef {object} RequestPage
 * @property {readonly RequestRow[]} requests
 * @property {Text} next to continue the search; a page may be short, or empty, before
 * @property {Text} [searchedTo] the time down to which the ledger has been searched
 * @property {boolean} isRecent without a ledger: these are the requests that the host has in memory
 */

/** The model, or what a refused request asked for. @param {Pick<RequestRow, 'model' | 'requestedModel'>} row */
export const modelOf = ({ model, requestedModel }) => model ?? requestedModel ?? 'not known';

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

/**
 * Compares a filter with a request in memory.
 * @param {RequestDetail} request
 * @param {string} name
 * @param {string} value
 */
const matches = (request, name, value) => {
  if (name === 'from') return request.time >= value;
  if (name === 'to') return request.time < value;
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

/** @param {string} id @param {AbortSignal} signal */
const readStored = async (id, signal) =>
  /** @type {RequestDetail | undefined} */ (
    await orNone(requestJson(`/admin/requests/${encodeURIComponent(id)}`, signal), undefined)
  );

/**
 * What the ledger has of a request, and what the host still has in memory.
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {Promise<RequestDetail | undefined>}
 */
export const readRequest = async (id, signal) => {
  const [stored, recent] = await Promise.all([readStored(id, signal), readRecentExchange(id, signal)]);
  if (recent?.life === undefined) return stored;
  const live = exchangeToDetail(recent);
  const { limits } = recent.life;
  if (stored === undefined) return { ...live, limits };
  const charges = stored.charges.map((charge, index) => ({ ...charge, source: live.charges[index]?.source }));
  return { ...stored, limits, charges, attemptTrail: live.attemptTrail };
};

/** `acme/web/alice` @param {RequestRow} request */
export const keyOf = ({ organization, project, key }) =>
  [organization, project, key].filter((name) => name !== null && name !== '').join('/');

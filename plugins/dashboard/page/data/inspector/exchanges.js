/** @import { RequestDetail } from '../requests.js' */
import { requestJson } from '../api.js';

/**
 * @typedef {object} Attempt
 * @property {string} provider
 * @property {string} model
 * @property {string} credential
 * @property {string} outcome
 * @property {number} status
 * @property {number} ms
 * @property {number} [ms_waited]
 * @property {string} [upstream_request_id]
 * @property {string} [failure]
 * @property {readonly string[]} [losses]
 */
/**
 * An exchange as the access log has it: docs/reference/access-log.md.
 * @typedef {object} Exchange
 * @property {string} endedAt
 * @property {string} request_id
 * @property {string} [trace_id]
 * @property {string} [upstream_request_id]
 * @property {boolean} [stream]
 * @property {string} [key_alias]
 * @property {string} [project]
 * @property {string} [organization]
 * @property {string} [user]
 * @property {Readonly<Record<string, string>>} [tags]
 * @property {string} route
 * @property {string} wire_in
 * @property {string} [model]
 * @property {string} [provider]
 * @property {number} status
 * @property {string} outcome
 * @property {string} [code]
 * @property {string} [error_message]
 * @property {number} ms_total
 * @property {number} [ms_ttft]
 * @property {number} [tokens_in]
 * @property {number} [tokens_out]
 * @property {number} [cost_micro]
 * @property {readonly Attempt[]} attempts
 * @property {Life} [life] where one exchange was read
 */

/**
 * What a host has in memory of one of its latest requests, beside its line of the access log:
 * docs/reference/admin.md. Times are milliseconds from the arrival of the request.
 * @typedef {object} Life
 * @property {readonly AdmittedLimit[]} limits
 * @property {readonly LivedAttempt[]} attempts
 * @property {readonly { target: string, cost?: string, price?: PriceSource }[]} charges
 */
/**
 * @typedef {object} LivedAttempt
 * @property {number} [startedMs]
 * @property {number} [headersMs] of waiting until the response headers arrived
 * @property {string} [ending]
 * @property {readonly SkippedTarget[]} [skipped]
 */
/** @typedef {{ readonly target: string, readonly credential: string, readonly reason: string }} SkippedTarget */
/**
 * Where the figures of a price come from: a page, and the day on which it was read.
 * @typedef {{ readonly version: string, readonly page: string, readonly seen?: string }} PriceSource
 */
/**
 * A limit at the admission of a request. Amounts are in its unit, and dollars for `cost`.
 * @typedef {object} AdmittedLimit
 * @property {string} scope
 * @property {string} name
 * @property {string} unit
 * @property {number} amount
 * @property {string} [per]
 * @property {string} [each]
 * @property {readonly string[]} models
 * @property {boolean} enforce
 * @property {number} [reserves]
 * @property {number} [remaining]
 * @property {number} [spent]
 * @property {number} [resetMs]
 * @property {true} [shadowed]
 */

/** A loss in the log: `logit_bias;dropped`. @param {string} loss */
const readLoss = (loss) => {
  const [path = '', kind = ''] = loss.split(';');
  return { path, kind, reason: '' };
};

/** The line of the access log in the form of the ledger. @param {Exchange} line @returns {RequestDetail} */
export const exchangeToDetail = (line) => ({
  id: line.request_id,
  time: line.endedAt,
  organization: line.organization ?? null,
  project: line.project ?? null,
  key: line.key_alias ?? null,
  user: line.user ?? null,
  model: line.model ?? null,
  provider: line.provider ?? null,
  route: line.route,
  wire: line.wire_in,
  stream: line.stream ?? null,
  status: line.status,
  outcome: line.outcome,
  code: line.code ?? null,
  durationMs: line.ms_total,
  firstContentMs: line.ms_ttft ?? null,
  usage: line.tokens_in === undefined ? null : { input: line.tokens_in, output: line.tokens_out ?? 0 },
  cost: line.cost_micro === undefined ? null : String(line.cost_micro / 1e6),
  traceId: line.trace_id ?? null,
  upstreamRequestId: line.upstream_request_id ?? null,
  attemptTrail: line.attempts.map((attempt, index) => {
    const { provider, model, credential, status, outcome, ms, failure } = attempt;
    const { startedMs = null, ...life } = line.life?.attempts[index] ?? {};
    return {
      ...{ provider, model, credential, status, outcome },
      ...life,
      startedMs,
      waitedMs: attempt.ms_waited,
      durationMs: ms,
      code: failure ?? null,
      upstreamRequestId: attempt.upstream_request_id ?? null,
    };
  }),
  losses: line.attempts.flatMap(({ losses = [] }) => losses).map(readLoss),
  charges: (line.life?.charges ?? []).map(({ target, cost = null, price }) => ({
    target,
    usage: {},
    cost,
    price: price?.version ?? null,
    source: price,
  })),
  tags: line.tags ?? {},
  annotations: {},
  message: line.error_message ?? null,
});

/**
 * One of the latest exchanges of this host, with its life. undefined: it is not among them.
 * @param {string} id
 * @param {AbortSignal} signal
 */
export const readRecentExchange = async (id, signal) =>
  /** @type {{ exchanges: readonly Exchange[] }} */ (
    await requestJson(`/admin/exchanges?id=${encodeURIComponent(id)}`, signal)
  ).exchanges[0];

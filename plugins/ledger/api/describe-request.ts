import { ownTraceId, writeDollars } from '../../../core/api/internal.ts';
import { REQUESTED_MODEL } from '../refused-row.ts';
import type { RowCharge } from '../row.ts';
import type { countColumns, LedgerTable } from '../tables.ts';
import type { StoredAttempt, StoredLoss } from '../trail.ts';

type Counts = Partial<Readonly<Record<(typeof countColumns)[number], number>>>;

/** Tokens and units under the names of the usage API. */
const describeUsage = (counts: Counts, source: string | null) => {
  const read = (name: keyof Counts): number => counts[name] ?? 0;
  const [cacheRead, cacheWrite5m] = [read('cache_read_tokens'), read('cache_write_5m_tokens')];
  const [cacheWrite1h, cacheWrite12h] = [read('cache_write_1h_tokens'), read('cache_write_12h_tokens')];
  return {
    input: read('input_tokens') + cacheRead + cacheWrite5m + cacheWrite1h + cacheWrite12h,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h,
    cacheWrite12h,
    output: read('output_tokens'),
    reasoning: read('reasoning_tokens'),
    webSearches: read('web_searches'),
    webFetches: read('web_fetches'),
    images: read('images'),
    seconds: read('media_ms') / 1_000,
    characters: read('characters'),
    source,
  };
};

const dollars = (nano: number | bigint | null): string | null => (nano === null ? null : writeDollars(BigInt(nano)));
/** Unknown names are stored as empty ones. */
const nameOf = (name: string): string | null => (name === '' ? null : name);
const splitTarget = (target: string | null) => {
  const slash = target?.indexOf('/') ?? -1;
  return { provider: target?.slice(0, slash) ?? null, model: target?.slice(slash + 1) ?? null };
};
const traceIdOf = ({ trace_id, id }: LedgerTable): string => trace_id ?? ownTraceId(id);

const readJson = <T>(text: string | null): T | undefined => (text === null ? undefined : (JSON.parse(text) as T));

const requestedModelOf = ({ state, model, tags }: LedgerTable): string | null =>
  state === 'refused' && model === ''
    ? (readJson<Readonly<Record<string, string>>>(tags)?.[REQUESTED_MODEL] ?? null)
    : null;

/** A request in the list of `GET /admin/requests`. */
export function describeRow(row: LedgerTable) {
  return {
    id: row.id,
    state: row.state,
    time: new Date(row.ended_at ?? row.opened_at).toISOString(),
    organization: nameOf(row.organization),
    project: nameOf(row.project),
    key: nameOf(row.key),
    user: row.end_user,
    route: row.route,
    wire: row.wire,
    operation: row.operation,
    model: nameOf(row.model),
    requestedModel: requestedModelOf(row),
    target: row.target,
    provider: splitTarget(row.target).provider,
    stream: row.stream === null ? null : row.stream === 1,
    status: row.status,
    outcome: row.outcome,
    code: row.code,
    attempts: row.attempts,
    durationMs: row.total_ms,
    firstContentMs: row.first_content_ms,
    usage: describeUsage(row, row.usage_source),
    cost: row.state === 'pending' ? null : dollars(row.cost),
    traceId: traceIdOf(row),
    upstreamRequestId: row.upstream_request_id,
  };
}
/** A row without a trail has no attempt, or one that succeeded: what the row says of it. */
const describeTrail = (row: LedgerTable) => {
  const stored = readJson<readonly StoredAttempt[]>(row.trail);
  const describe = (attempt: StoredAttempt) => {
    const [target, credential, startedMs, durationMs, status, outcome, code, upstreamRequestId] = attempt;
    return { ...splitTarget(target), credential, startedMs, durationMs, status, outcome, code, upstreamRequestId };
  };
  if (stored !== undefined) return stored.map(describe);
  if (row.attempts !== 1 || row.outcome === null) return [];
  const { outcome, status, upstream_request_id: upstreamRequestId } = row;
  const [credential, startedMs, durationMs, code] = [null, null, null, null];
  return [{ ...splitTarget(row.target), credential, startedMs, durationMs, status, outcome, code, upstreamRequestId }];
};

const describeCharges = (row: LedgerTable) => {
  const stored = readJson<readonly RowCharge[]>(row.charges);
  if (stored !== undefined)
    return stored.map((charge) => ({
      attempt: charge.attempt,
      target: charge.target,
      usage: describeUsage(charge, charge.usage_source),
      cost: charge.cost === undefined ? null : dollars(BigInt(charge.cost)),
      price: charge.price_version ?? null,
    }));
  if (row.usage_source === null) return [];
  const attempt = Math.max(0, row.attempts - 1);
  const usage = describeUsage(row, row.usage_source);
  return [{ attempt, target: row.target, usage, cost: dollars(row.cost), price: row.price_version }];
};

/** Names of tags that plugins have added have the plugin's name and a dot before them. */
const splitTags = (row: LedgerTable) => {
  const all = Object.entries(readJson<Readonly<Record<string, unknown>>>(row.tags) ?? {});
  const isOfPlugin = ([name]: readonly [string, unknown]): boolean => name.includes('.');
  return {
    tags: Object.fromEntries(all.filter((tag) => !isOfPlugin(tag))),
    annotations: Object.fromEntries(all.filter(isOfPlugin)),
  };
};

/** `GET /admin/requests/{id}`. @param traceLink the address of a trace, with `{traceId}` for its id */
export function describeRequest(row: LedgerTable, traceLink: string | undefined) {
  const losses = readJson<readonly StoredLoss[]>(row.losses) ?? [];
  return {
    ...describeRow(row),
    openedAt: new Date(row.opened_at).toISOString(),
    attemptTrail: describeTrail(row),
    losses: losses.map(([path, kind, reason]) => ({ path, kind, reason })),
    charges: describeCharges(row),
    price: row.price_version,
    cache: { saved: dollars(row.cache_saved), lost: dollars(row.cache_lost) },
    tier: row.tier,
    region: row.region,
    vendorModels: readJson<readonly string[]>(row.vendor_models) ?? [],
    rawUsage: readJson<unknown>(row.raw_usage) ?? null,
    ...splitTags(row),
    message: row.message,
    ...(traceLink === undefined ? {} : { traceLink: traceLink.replaceAll('{traceId}', traceIdOf(row)) }),
  };
}

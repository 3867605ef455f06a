import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { excerpt } from '../../canonical/text/redact.ts';
import { writeDollars } from '../../canonical/text/write-dollars.ts';
import { formatDuration } from '../../config/units/duration.ts';
import type { SkippedTarget } from '../../contracts/attempt-record.ts';
import type { Admission, AdmittedLimit, Outcome } from '../../contracts/outcome.ts';
import type { PriceSource } from '../../contracts/price.ts';
import { listOf, objectOf } from '../../http/admin/schemas.ts';

// What is kept of each exchange is copied as it is, without calls and texts: it is described when a person looks.

interface LivedAttempt {
  readonly startedAt: number | undefined;
  readonly headersMs: number | undefined;
  readonly ending: string | undefined;
  readonly skipped: readonly SkippedTarget[] | undefined;
}

interface LivedCharge {
  readonly attempt: number;
  readonly target: string;
  readonly estimated: boolean;
  readonly cost: bigint | undefined;
  readonly version: string | undefined;
  readonly source: PriceSource | undefined;
}

/** What the access log line of an exchange does not say, as it is kept. */
export interface ExchangeLife {
  /** Monotonic milliseconds of its process. */
  readonly startedAt: number;
  readonly limits: readonly AdmittedLimit[];
  /** In the order of those of the line. */
  readonly attempts: readonly LivedAttempt[];
  readonly charges: readonly LivedCharge[];
}

/** The most that is kept of one exchange. */
const MOST = 32;
const REASON_LENGTH = 200;

const NONE: readonly never[] = [];

/** Limits that a plugin fails to describe are left out. */
const readLimits = (limited: Admission | undefined): readonly AdmittedLimit[] => {
  try {
    return limited?.admitted?.() ?? NONE;
  } catch {
    return NONE;
  }
};

/** @param startedAt of the request, in monotonic milliseconds */
export function keepLife(outcome: Outcome, startedAt: number, limited: Admission | undefined): ExchangeLife {
  const attempts: LivedAttempt[] = [];
  for (const { startedAt: began, headersMs, ending, skipped } of outcome.attempts)
    if (attempts.length < MOST) attempts.push({ startedAt: began, headersMs, ending: ending?.reason, skipped });
  const charges: LivedCharge[] = [];
  for (const { attempt, target, usage, cost, price } of outcome.charges)
    if (charges.length < MOST)
      charges.push({
        attempt,
        target: target.id,
        estimated: usage.source === 'estimated',
        cost,
        version: price?.version,
        source: price?.source,
      });
  return { startedAt, limits: limited === undefined ? NONE : readLimits(limited), attempts, charges };
}

const describeLimit = ({ scope, name, limit, shadowed, ...figures }: AdmittedLimit): object => {
  const { unit, amount, per, each, models, enforce } = limit;
  const read = (count: number | undefined): number | undefined =>
    count === undefined || unit !== 'cost' ? count : count / 1e9;
  return omitUndefined({
    scope,
    name,
    unit,
    amount: read(amount),
    per: typeof per === 'number' ? formatDuration(per) : per,
    each,
    models,
    enforce,
    reserves: read(figures.reserves),
    remaining: read(figures.remaining),
    spent: read(figures.spent),
    resetMs: figures.resetMs === undefined ? undefined : Math.ceil(figures.resetMs),
    shadowed: shadowed ? true : undefined,
  });
};

const round = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : Math.max(0, Math.round(ms));

const describeAttempt = ({ startedAt, headersMs, ending, skipped }: LivedAttempt, began: number): object =>
  omitUndefined({
    startedMs: round(startedAt === undefined ? undefined : startedAt - began),
    headersMs: round(headersMs),
    ending,
    skipped: skipped
      ?.slice(0, MOST)
      .map(({ target, credential, reason }) => ({ target, credential, reason: excerpt(reason, REASON_LENGTH) })),
  });

const describeCharge = ({ attempt, target, estimated, cost, version, source }: LivedCharge): object =>
  omitUndefined({
    attempt,
    target,
    estimated,
    cost: cost === undefined ? undefined : writeDollars(cost),
    price: version === undefined ? undefined : { version, ...source },
  });

/** `life` of `GET /admin/exchanges?id=`: docs/reference/admin.md. Times are milliseconds from the arrival. */
export const describeLife = ({ startedAt, limits, attempts, charges }: ExchangeLife): object => ({
  limits: limits.slice(0, MOST).map(describeLimit),
  attempts: attempts.map((attempt) => describeAttempt(attempt, startedAt)),
  charges: charges.map(describeCharge),
});

const objects = listOf({ type: 'object' });
export const lifeSchema = objectOf({ limits: objects, attempts: objects, charges: objects }, [
  'limits',
  'attempts',
  'charges',
]);

import type { AttemptRecord, Exchange, Outcome } from '../../core/api/index.ts';
import { attemptResult, excerpt } from '../../core/api/internal.ts';

/** Longest JSON of attempts and of losses, in characters; what does not fit is left out, the oldest attempts first. */
const MAX_LENGTH = 4_096;
const MAX_NAME_LENGTH = 128;
const MAX_MESSAGE_LENGTH = 500;

/**
 * An attempt in the column `trail`: target, credential, when it began and how long it took in milliseconds, the
 * upstream status, the outcome, the class of the failure or the reason of the ending, and the vendor's id of the call.
 */
export type StoredAttempt = readonly [
  target: string,
  credential: string,
  startedMs: number | null,
  durationMs: number,
  status: number,
  outcome: Outcome['result'],
  code: string | null,
  upstreamRequestId: string | null,
];
/** A loss in the column `losses`. */
export type StoredLoss = readonly [path: string, kind: string, reason: string];

export type EndColumns = readonly [
  code: string | null,
  trail: string | null,
  losses: string | null,
  message: string | null,
];

/** JSON of as many entries as fit, the last ones. */
const writeLast = (entries: readonly unknown[]): string => {
  const texts: string[] = [];
  let length = 2;
  for (const entry of entries.toReversed()) {
    const text = JSON.stringify(entry);
    length += text.length + 1;
    if (length > MAX_LENGTH) break;
    texts.unshift(text);
  }
  return `[${texts.join()}]`;
};

const codeOf = ({ failure, ending }: AttemptRecord): string | null =>
  failure ?? (ending === undefined || ending.reason === 'complete' ? null : ending.reason);

/** The attempts as JSON; null for none, and for one that succeeded, because the row has what it says. */
function writeTrail(exchange: Exchange, attempts: readonly AttemptRecord[]): string | null {
  const [first] = attempts;
  if (first === undefined || (attempts.length === 1 && codeOf(first) === null)) return null;
  return writeLast(
    attempts.map((attempt): StoredAttempt => {
      const { target, credential, startedAt, ms, status, upstreamRequestId } = attempt;
      return [
        target,
        credential,
        startedAt === undefined ? null : Math.max(0, Math.round(startedAt - exchange.startedAt)),
        Math.round(ms),
        status,
        attemptResult(exchange, attempt),
        codeOf(attempt),
        upstreamRequestId ?? null,
      ];
    }),
  );
}

/** What was lost on the way to the last target, as JSON; null for nothing. */
function writeLosses(last: AttemptRecord | undefined): string | null {
  if (last === undefined || last.losses.length === 0) return null;
  return writeLast(
    last.losses.map(({ field, kind, detail }): StoredLoss => [
      excerpt(field, MAX_NAME_LENGTH),
      kind,
      excerpt(detail, MAX_NAME_LENGTH),
    ]),
  );
}

/** The message of the error as in the access log; null without an error. */
export const writeMessage = ({ error, ending }: Outcome): string | null => {
  const failure = error ?? ending?.error;
  if (failure === undefined) return null;
  // Postgres rejects some of them in text.
  return excerpt(failure.message, MAX_MESSAGE_LENGTH)
    .replaceAll(/\p{Cc}/gu, ' ')
    .toWellFormed();
};

/** The columns of what is not a plain success. */
export const describeEnd = (exchange: Exchange, outcome: Outcome): EndColumns => [
  (outcome.error ?? outcome.ending?.error)?.code ?? null,
  writeTrail(exchange, outcome.attempts),
  writeLosses(outcome.attempts.at(-1)),
  writeMessage(outcome),
];

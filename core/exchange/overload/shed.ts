import type { Log, Metrics } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** Time between two log lines of the same kind. */
const LOG_EVERY_MS = 5_000;
const RETRY_AFTER_MS = 1_000;
const MB = 1_048_576;

const reasons = [
  'in_flight',
  'lag',
  'memory',
  'steps',
  'uploads',
  'disk',
  'key_in_flight',
  'key_memory',
  'key_steps',
  'key_uploads',
  'key_disk',
  'connections',
  'connections_per_address',
] as const;
type Reason = (typeof reasons)[number];
type Counters = Readonly<Record<Reason, (value: number) => void>>;

/** What to do where the general text does not say it: above all for a key that exceeds its share. */
const texts: Partial<Readonly<Record<Reason, string>>> = {
  uploads:
    'This gateway has as many open uploads as it takes at once (server.overload.uploads). Try again in a second.',
  disk: 'The files of open uploads leave no room on disk for this one (server.overload.disk). Try again in a second.',
  key_in_flight:
    'This key has too many open requests: they leave no capacity for other keys (server.overload.perKey).' +
    ' Try again when some of them have ended.',
  key_memory:
    'The bodies of the open requests of this key leave no memory for other keys (server.overload.perKey).' +
    ' Try again when some of them have ended.',
  key_steps:
    'The requests of this key need so much computation that none is left for other keys (server.overload.perKey).' +
    ' Try again in some seconds.',
  key_uploads:
    'This key has too many open uploads: they leave none for other keys (server.overload.perKey).' +
    ' Try again when some of them have ended.',
  key_disk:
    'The files of the open uploads of this key leave no room on disk for other keys (server.overload.perKey).' +
    ' Try again when some of them have ended.',
};

/** The error for a body that no key may send. @param most what one key can hold, in bytes */
export const refuseMemory = (memory: number, most: number): GatewayError =>
  new GatewayError(
    'request_too_large',
    `This body takes at least ${Math.ceil(memory / MB)} MB of memory, because of its length and of its many objects, ` +
      `lists and strings; one request may take ${Math.floor(most / MB)} MB (server.overload.memory). ` +
      'Send fewer or shorter messages, parts and tools.',
  );

/** The error for a form that no key may send. @param most what one key can hold, in bytes */
export const refuseDisk = (most: number): GatewayError =>
  new GatewayError(
    'request_too_large',
    `The form is larger than ${Math.floor(most / MB)} MB, the most that one request may take on disk ` +
      '(server.overload.disk). Send a smaller or compressed file, or several requests.',
  );

/** The error for a request that needs more computation than any may. */
export const refuseSteps = (): GatewayError =>
  new GatewayError(
    'request_too_large',
    'Checking this request needs more computation than one request may take (server.overload.steps). ' +
      'Send less text in one request.',
  );

/** Counts and logs what is refused because the process is overloaded. */
export class Shed {
  readonly #log: Log;
  readonly #now: () => number;
  readonly #count: Counters;
  readonly #loggedAt = new Map<string, number>();

  constructor(log: Log, metrics: Metrics, now: () => number) {
    this.#log = log;
    this.#now = now;
    const help = 'Requests and connections refused because the process was overloaded.';
    const shed = metrics.counter('koine_shed_total', help, ['reason']);
    this.#count = Object.fromEntries(reasons.map((reason) => [reason, shed.bind([reason])])) as Counters;
  }

  /** @param inFlight open exchanges */
  refuse(reason: Reason, inFlight: number): GatewayError {
    this.note(reason, { inFlight });
    return new GatewayError('overloaded', texts[reason], { retryAfterMs: RETRY_AFTER_MS });
  }

  refuseKey(reason: Reason, inFlight: number, key: string): GatewayError {
    this.note(reason, { inFlight, key });
    return new GatewayError('rate_limit_exceeded', texts[reason], { retryAfterMs: RETRY_AFTER_MS });
  }

  note(reason: Reason, fields: object): void {
    this.#count[reason](1);
    const what = reason.startsWith('connections') ? 'connections' : 'requests';
    this.warn({ reason, ...fields }, `overloaded: ${what} are refused`);
  }

  /** At most one line of each text in some seconds. */
  warn(fields: object, text: string): void {
    const at = this.#now();
    if (at - (this.#loggedAt.get(text) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    this.#loggedAt.set(text, at);
    this.#log.warn(fields, text);
  }
}

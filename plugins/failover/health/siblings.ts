import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import type { Clock } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { setBounded } from '../../../core/api/internal.ts';
import type { Change, Condition, HealthKey } from './condition.ts';
import type { HealthRegistry } from './health-registry.ts';
import type { Scope } from './scope.ts';

const NAME = 'koine failover';
/** Conditions that this thread does not know yet, findings of each, and what is sent to a new thread. */
const [MOST, MOST_OF_ONE] = [1_000, 20];
/** How long a new thread keeps what is known of a circuit that can be probed now. */
const LEAST_KEPT_MS = 10_000;

/** What a thread has found out about a credential. */
type Finding =
  | { readonly kind: 'open' | 'cooling'; readonly reason: string; readonly forMs: number }
  | { readonly kind: 'good' };

interface Notice {
  readonly provider: string;
  readonly model: string;
  readonly credential: string;
  /** Of the secret of the credential: threads take over a new configuration one after the other. */
  readonly version?: string;
  readonly finding: Finding;
  /** Names of the callers that it applies to. Absent: all. */
  readonly callers?: readonly string[];
  /** The new thread that it is for. Absent: all threads. */
  readonly to?: string;
}

/** A new thread asks the others for what they know. */
interface Greeting {
  readonly newThread: string;
}

/** A finding for a condition that this thread will create with its first call. */
interface Kept {
  readonly notice: Notice;
  /** Monotonic milliseconds. */
  readonly until: number;
}

interface SiblingsParts {
  readonly registry: Pick<HealthRegistry, 'find' | 'onCreate' | 'conditions'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Distinguishes this gateway from others in the same process. */
  readonly gateway: string;
}

const keyOf = ({ provider, model, credential }: HealthKey): string => [provider, model, credential].join('\n');

/** What another thread should know of a scope. */
const findingsOf = ({ circuit, cooldown }: Scope, now: number): readonly Finding[] => {
  const findings: Finding[] = [];
  if (circuit.state !== 'closed') {
    const forMs = Math.max(LEAST_KEPT_MS, (circuit.until(now) ?? now) - now);
    findings.push({ kind: 'open', reason: circuit.reason, forMs });
  }
  if (cooldown.until > now) findings.push({ kind: 'cooling', reason: cooldown.reason, forMs: cooldown.until - now });
  return findings;
};

/** Applies what another thread has found. */
function apply(condition: Condition, { finding, callers }: Notice, now: number): void {
  if (finding.kind === 'good') condition.recheck(now);
  else if (finding.kind === 'open') condition.trip(now, finding.reason, callers);
  else condition.cool(now + finding.forMs, finding.reason, callers, now);
}

/**
 * Informs the other workers of this host at once when a circuit or a cooldown changes here, and takes over what they
 * send. They use the same network and the same credentials, so what one has found is true for all. A message is sent
 * only when something changes, and to a new worker; a request reads nothing.
 */
export class Siblings {
  readonly #parts: SiblingsParts;
  readonly #channel: BroadcastChannel;
  readonly #own = randomUUID();
  readonly #kept = new Map<string, readonly Kept[]>();
  /** Circuits that other threads have opened, until they are closed here. */
  readonly #taken = new Set<string>();
  #isTaking = false;

  constructor(parts: SiblingsParts) {
    this.#parts = parts;
    this.#channel = new BroadcastChannel(`${NAME} ${parts.gateway}`);
    this.#channel.addEventListener('message', (event) => this.#receive((event as MessageEvent).data));
    this.#channel.unref();
    parts.registry.onCreate((condition) => this.#applyKept(condition));
    this.#post({ newThread: this.#own });
  }

  /** Whether a change that is reported now came from another thread. */
  get isTaking(): boolean {
    return this.#isTaking;
  }

  /** Whether this thread logs a change: the others log nothing of a circuit that they have taken over. */
  logs(healthKey: HealthKey, to: Change['to']): boolean {
    const key = keyOf(healthKey);
    if (this.#isTaking) this.#taken.add(key);
    const isTaken = this.#taken.has(key);
    if (to === 'closed') this.#taken.delete(key);
    return !isTaken;
  }

  /** A circuit has changed here. */
  changed(healthKey: HealthKey, { from, to, reason, openMs = 0, callers }: Change, version: string | undefined): void {
    if (to === 'open') this.#send(healthKey, version, { kind: 'open', reason, forMs: openMs }, callers);
    else if (from !== to && from !== 'closed') this.#send(healthKey, version, { kind: 'good' });
  }

  /** A cooldown has become longer here. @param callers those that it applies to; absent: all */
  cooled({ healthKey, version }: Condition, reason: string, forMs: number, callers?: readonly string[]): void {
    this.#send(healthKey, version, { kind: 'cooling', reason, forMs }, callers);
  }

  close(): void {
    this.#channel.close();
  }

  #send(
    { provider, model, credential, label }: HealthKey,
    version: string | undefined,
    finding: Finding,
    callers?: readonly string[],
    to?: string,
  ): void {
    // Clients can name any number of models by a wildcard.
    if (label !== undefined || this.#isTaking) return;
    this.#post(omitUndefined<Notice>({ provider, model, credential, version, finding, callers, to }));
  }

  #post(message: Notice | Greeting): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    this.#channel.postMessage(message);
  }

  #receive(message: Notice | Greeting): void {
    if ('newThread' in message) this.#inform(message.newThread);
    else if (message.to === undefined || message.to === this.#own) this.#take(message);
  }

  /** Sends a new thread the circuits and cooldowns that are known here. */
  #inform(to: string): void {
    const now = this.#parts.clock.monotonic();
    let left = MOST;
    for (const condition of this.#parts.registry.conditions()) {
      const { healthKey, version } = condition;
      for (const { scope, callers } of condition.scopes()) {
        for (const finding of findingsOf(scope, now)) {
          if (left === 0) return;
          left -= 1;
          this.#send(healthKey, version, finding, callers, to);
        }
      }
    }
  }

  #take(notice: Notice): void {
    const now = this.#parts.clock.monotonic();
    const condition = this.#parts.registry.find(notice);
    if (condition === undefined) this.#keep(notice, now);
    else if (condition.version === notice.version) this.#applyTo(condition, notice, now);
  }

  #keep(notice: Notice, now: number): void {
    const { finding } = notice;
    const key = keyOf(notice);
    if (finding.kind === 'good') this.#kept.delete(key);
    else {
      const others = this.#kept.get(key) ?? [];
      setBounded(this.#kept, MOST, key, [...others, { notice, until: now + finding.forMs }].slice(-MOST_OF_ONE));
    }
  }

  #applyKept(condition: Condition): void {
    if (this.#kept.size === 0) return;
    const key = keyOf(condition.healthKey);
    const kept = this.#kept.get(key) ?? [];
    this.#kept.delete(key);
    const now = this.#parts.clock.monotonic();
    for (const { notice, until } of kept) {
      if (until <= now || notice.version !== condition.version) continue;
      const { finding } = notice;
      const left = finding.kind === 'good' ? finding : { ...finding, forMs: until - now };
      this.#applyTo(condition, { ...notice, finding: left }, now);
    }
  }

  #applyTo(condition: Condition, notice: Notice, now: number): void {
    this.#isTaking = true;
    try {
      apply(condition, notice, now);
    } finally {
      this.#isTaking = false;
    }
  }
}

import { BroadcastChannel } from 'node:worker_threads';
import type { Clock } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { setBounded } from '../../../core/api/internal.ts';
import type { Change, Condition, HealthKey } from './condition.ts';
import type { HealthRegistry } from './health-registry.ts';

const NAME = 'koine failover';
/** Of conditions that this thread does not know yet. The oldest give way. */
const MOST = 1_000;

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
}

/** A finding for a condition that this thread will create with its first call. */
interface Kept {
  readonly notice: Notice;
  /** Monotonic milliseconds. */
  readonly until: number;
}

interface SiblingsParts {
  readonly registry: Pick<HealthRegistry, 'find' | 'onCreate'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

const keyOf = ({ provider, model, credential }: HealthKey): string => [provider, model, credential].join('\n');

/** Applies what another thread has found. */
function apply(condition: Condition, { finding, callers }: Notice, now: number): void {
  if (finding.kind === 'good') condition.recheck(now);
  else if (finding.kind === 'open') condition.trip(now, finding.reason, callers);
  else condition.cool(now + finding.forMs, finding.reason, callers, now);
}

/**
 * Informs the other workers of this host at once when a circuit or a cooldown changes here, and takes over what they
 * send. They use the same network and the same credentials, so what one has found is true for all. A message is sent
 * only when something changes; a request reads nothing.
 */
export class Siblings {
  readonly #parts: SiblingsParts;
  readonly #channel = new BroadcastChannel(NAME);
  readonly #kept = new Map<string, Kept>();
  #isTaking = false;

  constructor(parts: SiblingsParts) {
    this.#parts = parts;
    this.#channel.addEventListener('message', (event) => this.#take((event as MessageEvent).data as Notice));
    this.#channel.unref();
    parts.registry.onCreate((condition) => this.#applyKept(condition));
  }

  /** Whether a change that is reported now came from another thread. */
  get isTaking(): boolean {
    return this.#isTaking;
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
  ): void {
    // Clients can name any number of models by a wildcard.
    if (label !== undefined || this.#isTaking) return;
    const notice = omitUndefined<Notice>({ provider, model, credential, version, finding, callers });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    this.#channel.postMessage(notice);
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
    else setBounded(this.#kept, MOST, key, { notice, until: now + finding.forMs });
  }

  #applyKept(condition: Condition): void {
    if (this.#kept.size === 0) return;
    const key = keyOf(condition.healthKey);
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    const now = this.#parts.clock.monotonic();
    if (kept === undefined || kept.until <= now || kept.notice.version !== condition.version) return;
    const { notice, until } = kept;
    const { finding } = notice;
    const left = finding.kind === 'good' ? finding : { ...finding, forMs: until - now };
    this.#applyTo(condition, { ...notice, finding: left }, now);
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

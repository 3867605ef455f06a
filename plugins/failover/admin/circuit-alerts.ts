import type { PrimaryServices } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import type { Note } from './messages.ts';

/** For how long the circuits of a provider must be closed before that is an alert. */
const QUIET_MS = 300_000;
/** Open circuits that are counted for each provider. */
const MOST = 10_000;

/** A provider with open circuits, or whose circuits have closed a short time ago. */
interface Trouble {
  readonly since: number;
  /** By process, model and credential. */
  readonly open: Set<string>;
  /** Whether this host has sent the alert that it began. */
  readonly isSent: Promise<boolean>;
  quiet?: NodeJS.Timeout;
}

/**
 * One alert when the first circuit of a provider opens, and one when all of them have been closed for some minutes.
 * Circuits that are open for some callers only are not counted: their requests can be the cause.
 */
export class CircuitAlerts {
  readonly #services: Pick<PrimaryServices, 'alert' | 'clock'>;
  readonly #quietMs: number;
  readonly #troubles = new Map<string, Trouble>();

  constructor(services: Pick<PrimaryServices, 'alert' | 'clock'>, quietMs = QUIET_MS) {
    this.#services = services;
    this.#quietMs = quietMs;
  }

  note(worker: number, note: Note): void {
    if (note.kind !== 'circuit') return;
    const { provider, model, credential } = note.healthKey;
    const circuit = `${worker}\n${model}\n${credential}`;
    const known = this.#troubles.get(provider);
    if (note.state !== 'closed' && note.callers === undefined) {
      const trouble = known ?? this.#begin(note);
      clearTimeout(trouble.quiet);
      if (trouble.open.size < MOST) trouble.open.add(circuit);
    } else if (known?.open.delete(circuit) === true) this.#watch(provider, known);
  }

  /** Drops the circuits of a process that has ended. */
  forget(worker: number): void {
    for (const [provider, trouble] of this.#troubles) {
      for (const circuit of trouble.open) if (circuit.startsWith(`${worker}\n`)) trouble.open.delete(circuit);
      this.#watch(provider, trouble);
    }
  }

  close(): void {
    for (const { quiet } of this.#troubles.values()) clearTimeout(quiet);
  }

  #begin({ healthKey: { provider, model, credential, label = model }, reason }: Note): Trouble {
    const { alert, clock } = this.#services;
    const since = clock.now();
    const isSent = alert({
      event: 'circuit.opened',
      text: `a circuit of the provider ${provider} has opened: ${reason}`,
      key: `circuit.opened;${provider}`,
      onceFor: this.#quietMs,
      fields: omitUndefined({ provider, model: label, credential, reason }),
    });
    const trouble = { since, open: new Set<string>(), isSent };
    this.#troubles.set(provider, trouble);
    return trouble;
  }

  #watch(provider: string, trouble: Trouble): void {
    if (trouble.open.size > 0) return;
    clearTimeout(trouble.quiet);
    trouble.quiet = setTimeout(() => void this.#end(provider, trouble), this.#quietMs).unref();
  }

  async #end(provider: string, { since, isSent }: Trouble): Promise<void> {
    this.#troubles.delete(provider);
    if (!(await isSent)) return;
    const { alert, clock } = this.#services;
    const seconds = Math.round((clock.now() - since) / 1_000);
    await alert({
      event: 'circuit.closed',
      text: `the circuits of the provider ${provider} have closed`,
      key: `circuit.closed;${provider};${since}`,
      onceFor: this.#quietMs,
      fields: { provider, openedAt: new Date(since).toISOString(), seconds },
    });
  }
}

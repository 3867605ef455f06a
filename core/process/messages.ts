import type { CarriedError } from './carried-error.ts';

/** A question of a worker to the primary half of a plugin. */
export interface Ask {
  readonly id: number;
  readonly plugin: string;
  /** JSON text; none: undefined. */
  readonly message?: string | undefined;
}
/** `value` is JSON text, too. */
export type Answer = { readonly id: number; readonly value?: string | undefined } | { readonly id: number; readonly error: CarriedError };

export type FromWorker =
  | { readonly koine: 'serving'; readonly url: string }
  | { readonly koine: 'failed'; readonly error: CarriedError }
  | { readonly koine: 'asks'; readonly asks: readonly Ask[] };
export type FromPrimary =
  | { readonly koine: 'start'; readonly port: number }
  | { readonly koine: 'stop' }
  | { readonly koine: 'cut' }
  | { readonly koine: 'answers'; readonly answers: readonly Answer[] };

/** The channel is shared with Node and with whatever else the process has loaded: only messages with our mark are ours. */
export const isOurs = <T extends FromWorker | FromPrimary>(message: unknown): message is T => typeof message === 'object' && message !== null && 'koine' in message;

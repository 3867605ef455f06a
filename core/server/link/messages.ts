import type { CarriedError } from './carried-error.ts';

/** A question of a worker to the primary instance of a plugin. */
export interface Ask {
  readonly id: number;
  readonly plugin: string;
  /** Of the configuration that asks. */
  readonly generation: number;
  /** JSON text; none: undefined. */
  readonly message?: string | undefined;
}
/** `value` is JSON text, too. */
export type Answer =
  | { readonly id: number; readonly value?: string | undefined }
  | { readonly id: number; readonly error: CarriedError };

/** A configuration as it travels to workers: one of those that this gateway has had, under its number. */
export interface PackedGeneration {
  readonly generation: number;
  readonly config: string;
}

export type FromWorker =
  | { readonly koine: 'serving'; readonly url: string }
  | { readonly koine: 'failed'; readonly error: CarriedError }
  /** It can be put in force, or not. */
  | { readonly koine: 'prepared'; readonly generation: number; readonly error?: CarriedError }
  /** Its last request is over here. */
  | { readonly koine: 'retired'; readonly generation: number }
  | { readonly koine: 'asks'; readonly asks: readonly Ask[] };
export type FromPrimary =
  | ({ readonly koine: 'start'; readonly port: number } & PackedGeneration)
  | ({ readonly koine: 'prepare' } & PackedGeneration)
  | { readonly koine: 'enforce'; readonly generation: number }
  /** What was prepared is not wanted. */
  | { readonly koine: 'drop'; readonly generation: number }
  | { readonly koine: 'stop'; readonly isHurried: boolean }
  | { readonly koine: 'cut' }
  | { readonly koine: 'answers'; readonly answers: readonly Answer[] };

/** The channel is shared with Node and with whatever else the process has loaded: only messages with our mark are ours. */
export const isOurs = <T extends FromWorker | FromPrimary>(message: unknown): message is T =>
  typeof message === 'object' && message !== null && 'koine' in message;

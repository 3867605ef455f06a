import type { PackedConfig } from '../../config/pack.ts';
import type { CarriedError } from './carried-error.ts';

/** A request of a plugin in a worker to its primary instance. */
export interface LinkRequest {
  readonly id: number;
  readonly plugin: string;
  /** Of the configuration that the plugin runs in. */
  readonly generation: number;
  /** JSON text. */
  readonly message?: string | undefined;
}
/** `value` is JSON text. */
export type LinkResponse =
  | { readonly id: number; readonly value?: string | undefined }
  | { readonly id: number; readonly error: CarriedError };

/** A configuration for workers, with the number of its generation. */
export interface PackedGeneration {
  readonly generation: number;
  readonly config: PackedConfig;
}

export type FromWorker =
  | { readonly koine: 'serving'; readonly url: string }
  /** It could not start. */
  | { readonly koine: 'failed'; readonly error: CarriedError }
  /** The generation can be activated; with an error: it could not be started. */
  | { readonly koine: 'prepared'; readonly generation: number; readonly error?: CarriedError }
  /** The last request of the generation in this worker has ended. */
  | { readonly koine: 'retired'; readonly generation: number }
  | { readonly koine: 'plugin-requests'; readonly requests: readonly LinkRequest[] };
export type FromPrimary =
  /** A part of a configuration, in base64. All of them come before the generation is started or prepared. */
  | { readonly koine: 'part'; readonly generation: number; readonly text: string }
  | { readonly koine: 'start'; readonly port: number; readonly generation: number }
  | { readonly koine: 'prepare'; readonly generation: number }
  | { readonly koine: 'activate'; readonly generation: number }
  /** Close a generation that was prepared and will not be activated. */
  | { readonly koine: 'drop'; readonly generation: number }
  | { readonly koine: 'stop'; readonly isHurried: boolean }
  | { readonly koine: 'cut' }
  /** The operating system has this many further lines of the worker's log. */
  | { readonly koine: 'logged'; readonly lines: number }
  | { readonly koine: 'plugin-responses'; readonly responses: readonly LinkResponse[] };

/** Node and loaded modules use the same channel. Messages of the gateway have the member `koine`. */
export const isOurs = <T extends FromWorker | FromPrimary>(message: unknown): message is T =>
  typeof message === 'object' && message !== null && 'koine' in message;

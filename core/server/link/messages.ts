import type { PackedConfig } from '../../config/pack.ts';
import type { CarriedError } from './carried-error.ts';

/** A request of a plugin in a worker to its primary instance. */
export interface LinkRequest {
  readonly id: number;
  readonly plugin: string;
  /** Of the configuration that the plugin runs in. */
  readonly generation: number;
  readonly message: unknown;
}
export type LinkResponse =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: CarriedError };

/** A configuration for workers, with the number of its generation. */
export interface PackedGeneration {
  readonly generation: number;
  readonly config: PackedConfig;
}

/** The `workerData` of a worker thread. Extensions can read it. */
export interface Assignment {
  /** Its number: from 1, never used twice. */
  readonly worker: number;
  /** The port that all workers share. */
  readonly port: number;
  /** Which of the `server.workers` places it has, from 0. */
  readonly place: number;
  /** Where all workers count what they hold, each in its place. */
  readonly hostLoad: SharedArrayBuffer;
  /** Of one element, which the thread increments while its event loop turns. */
  readonly heartbeat: Int32Array<SharedArrayBuffer>;
  /** The memory of the lock of standard output, if that is a pipe. */
  readonly pipe: SharedArrayBuffer | undefined;
}

export type FromWorker =
  | { readonly koine: 'serving'; readonly url: string }
  /** It could not start. */
  | { readonly koine: 'failed'; readonly error: CarriedError }
  /** It ends because of an error that nothing caught. */
  | { readonly koine: 'crashed' }
  /** The generation can be activated; with an error: it could not be started. */
  | { readonly koine: 'prepared'; readonly generation: number; readonly error?: CarriedError }
  /** The last request of the generation in this worker has ended. */
  | { readonly koine: 'retired'; readonly generation: number }
  /** Of a line of the log that the worker has begun. */
  | { readonly koine: 'rest-of-line'; readonly rest: Uint8Array }
  | { readonly koine: 'plugin-request'; readonly request: LinkRequest };
export type FromPrimary =
  /** The first one. */
  | ({ readonly koine: 'start' } & PackedGeneration)
  | ({ readonly koine: 'prepare' } & PackedGeneration)
  | { readonly koine: 'activate'; readonly generation: number }
  /** Close a generation that was prepared and will not be activated. */
  | { readonly koine: 'drop'; readonly generation: number }
  | { readonly koine: 'stop'; readonly isHurried: boolean }
  | { readonly koine: 'cut' }
  | { readonly koine: 'plugin-response'; readonly response: LinkResponse };

/** Extensions can use the port of their thread as well. Messages of the gateway have the member `koine`. */
export const isOurs = <T extends FromWorker | FromPrimary>(message: unknown): message is T =>
  typeof message === 'object' && message !== null && 'koine' in message;

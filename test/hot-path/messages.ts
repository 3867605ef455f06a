/**
 * What is counted: events of the runtime, calls of functions, the places that create asynchronous resources, or bytes
 * that the main thread allocates on its heap.
 */
export type What = 'events' | 'calls' | 'places' | 'bytes';

export interface Begin {
  readonly what: What;
}

export interface Events {
  /** Asynchronous resources of the main thread by their type: `PROMISE`, `Timeout`, `TickObject` and so on. */
  readonly resources: readonly (readonly [type: string, count: number])[];
  /** SQL statements of all threads. */
  readonly statements: number;
  /** How often a text of the client's request or of the upstream's response was parsed as JSON. */
  readonly parses: { readonly request: number; readonly answer: number };
}

/** A function of the project, and how often it was called. `at` distinguishes those of a file that have no name. */
export interface Called {
  readonly file: string;
  readonly name: string;
  readonly at: number;
  readonly count: number;
}
/** Each function of the project that was called. */
export type Calls = readonly Called[];

/** `PROMISE resolve core/exchange/run.ts:12` and how many were made there. */
export type Places = readonly (readonly [place: string, count: number])[];

export interface Found {
  readonly events: Events;
  readonly calls: Calls;
  readonly places: Places;
  readonly bytes: number;
}

import type { Wire } from '../../matrix/wires.ts';

/** More than a minute, in milliseconds. */
export const SILENCE_MS = 62_000;

/** When the provider falls silent: before its head, or behind the first half of the text. */
export const moments = ['first', 'middle'] as const;
export type Moment = (typeof moments)[number];

/** What became of one stream. */
export interface Heard {
  readonly client: Wire;
  readonly vendor: Wire;
  readonly moment: Moment;
  /** The text and the word for its end, as the SDK gave them; what it threw. */
  readonly said: string;
  /** Of the same stream without an SDK: the signs of life in it. */
  readonly signs: number;
  readonly ms: number;
}

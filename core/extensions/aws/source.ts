import type { Identity } from './sign.ts';

/** Credentials, and when they end in Unix milliseconds. */
export interface Dated {
  readonly identity: Identity;
  readonly endsAt: number;
}

/** A source of credentials; undefined: it is not configured here. @throws Error if it is, and does not work */
export type ReadSource = (signal: AbortSignal) => Promise<Dated | undefined>;

/** Long-lived credentials are read again after this time, because files rotate. */
export const REREAD_MS = 15 * 60_000;

/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value; undefined for an empty one. */
export const given = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

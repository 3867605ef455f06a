import { GatewayError } from '../../../core/index.ts';

/** The class of SQLite's code, where it is SQLite that failed: https://www.sqlite.org/rescode.html */
export function sqliteCodeOf(error: unknown): number | undefined {
  const cause = GatewayError.is(error) ? error.cause : error;
  return cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number'
    ? cause.errcode & 0xff
    : undefined;
}

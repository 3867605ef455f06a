import { GatewayError } from '../../../core/api/index.ts';

/** The primary result code of an SQLite error, else undefined: https://www.sqlite.org/rescode.html */
export function sqliteCodeOf(error: unknown): number | undefined {
  const cause = GatewayError.is(error) ? error.cause : error;
  return cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number'
    ? cause.errcode & 0xff
    : undefined;
}

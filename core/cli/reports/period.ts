import { isDuration, parseDuration } from '../../config/units/duration.ts';
import { MisuseError } from '../command.ts';

/** `from` of a report: `--from`, or `--last` before now. @param now unix milliseconds @throws MisuseError */
export function readFrom(
  { from, to, last }: Readonly<Partial<Record<'from' | 'to' | 'last', string | undefined>>>,
  now: number,
): string | undefined {
  if (last === undefined) return from;
  if (from !== undefined || to !== undefined) throw new MisuseError('Give either --last, or --from and --to.');
  if (!isDuration(last)) throw new MisuseError(`--last must look like 30m, 24h or 7d, not "${last}".`);
  return new Date(now - parseDuration(last)).toISOString();
}

/** The query of a call: what is given. */
export const writeQuery = (parameters: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    ),
  ).toString();

/** A value of a report as text. */
export const cell = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '-';

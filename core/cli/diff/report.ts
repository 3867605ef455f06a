import { describePath } from '../../config/describe-path.ts';
import type { Change } from '../../config/diff/diff-config.ts';

/** For `--format json`. */
export const encodeChange = ({ path, ...change }: Change): object => ({ path: describePath(path), ...change });

/** A longer value is cut; `--format json` has all of it. */
const WIDEST = 160;
const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > WIDEST ? `${text.slice(0, WIDEST)}…` : text;
};

const describeChange = (change: Change): string => {
  if (!('before' in change)) return `added ${show(change.after)}`;
  if (!('after' in change)) return `removed ${show(change.before)}`;
  return `${show(change.before)} -> ${show(change.after)}`;
};

const count = (amount: number): string => `${amount} ${amount === 1 ? 'setting differs' : 'settings differ'}`;

/** One line for each setting, and their number. */
export function formatChanges(changes: readonly Change[], before: string, after: string): string {
  const restarts = changes.filter(({ reload }) => reload === 'restart').length;
  const lines = changes.map(
    (change) => `${change.reload.padEnd(7)}  ${describePath(change.path)}: ${describeChange(change)}`,
  );
  const end =
    restarts === 0
      ? 'a reload applies all of them'
      : `${restarts} of them ${restarts === 1 ? 'requires' : 'require'} a restart`;
  return [
    ...lines,
    `${before} -> ${after}: ${changes.length === 0 ? 'nothing differs' : `${count(changes.length)}, ${end}`}.`,
  ].join('\n');
}

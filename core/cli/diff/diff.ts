import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { describePath } from '../../config/describe-path.ts';
import { describeComparable } from '../../config/diff/comparable-config.ts';
import { diffConfigs, type Change } from '../../config/diff/diff-config.ts';
import { loadConfig } from '../../config/load.ts';
import { ConfigError, formatProblem } from '../../config/problem.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { chooseAdmin, fetchAdminObject } from '../admin-client.ts';
import { checkFormat, DEFAULT_CONFIG, MisuseError, parseOperands } from '../command.ts';
import { diffOptions } from '../options/configuration.ts';

/** Two configurations. The same secret has the same mask in both. */
interface Sides {
  readonly names: readonly [before: string, after: string];
  readonly before: JsonObject;
  readonly after: JsonObject;
}

const readFiles = async (old: string, next: string, builtIns: BuiltIns): Promise<Sides> => {
  const [before, after] = await Promise.all(
    [old, next].map(async (file) => describeComparable(await loadConfig(file, builtIns, process.env)).config),
  );
  return { names: [old, next], before: before ?? {}, after: after ?? {} };
};

const readLive = async (
  file: string,
  admin: string | undefined,
  token: string | undefined,
  builtIns: BuiltIns,
): Promise<Sides> => {
  const loaded = await loadConfig(file, builtIns, process.env);
  const address = chooseAdmin({ admin, token }, loaded.config);
  const { config, salt } = await fetchAdminObject(address, '/admin/config');
  if (!isObject(config) || typeof salt !== 'string')
    throw new MisuseError(`${address.url}/admin/config responded with no configuration.`);
  return { names: [address.url, file], before: config, after: describeComparable(loaded, salt).config };
};

const readSides = (
  args: readonly string[],
  builtIns: BuiltIns,
): { readonly format: string; readonly read: () => Promise<Sides> } => {
  const { positionals, values } = parseOperands(args, diffOptions);
  const [first, second, ...more] = positionals;
  const { live, admin, token, format } = values;
  checkFormat(format);
  if (live && second === undefined)
    return { format, read: () => readLive(first ?? DEFAULT_CONFIG, admin, token, builtIns) };
  if (live || first === undefined || second === undefined || more.length > 0)
    throw new MisuseError(
      'Give two files: koine diff OLD NEW; or one, and --live for the running gateway: koine diff NEW --live.',
    );
  if (admin !== undefined || token !== undefined) throw new MisuseError('--admin and --token go with --live.');
  return { format, read: () => readFiles(first, second, builtIns) };
};

/** For `--format json`. */
const encodeChange = ({ path, ...change }: Change): object => ({ path: describePath(path), ...change });

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
function formatChanges(changes: readonly Change[], before: string, after: string): string {
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

/** `koine diff`. Exit codes as those of diff(1): 0 nothing differs, 1 something does, 2 they cannot be compared. */
export async function diff(args: readonly string[], builtIns: BuiltIns): Promise<number> {
  const { format, read } = readSides(args, builtIns);
  try {
    const { names, before, after } = await read();
    const changes = diffConfigs(before, after);
    console.log(
      format === 'json'
        ? JSON.stringify({ before: names[0], after: names[1], changes: changes.map(encodeChange) }, undefined, 2)
        : formatChanges(changes, ...names),
    );
    return changes.length === 0 ? 0 : 1;
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    for (const problem of thrown.problems) console.error(`${formatProblem(problem)}\n`);
    return 2;
  }
}

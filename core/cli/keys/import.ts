import { open, readFile, rm } from 'node:fs/promises';
import { listSome } from '../../canonical/text/list-some.ts';
import type { KeyRequest } from '../../config/validate/read-key.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import type { IssuedKey } from '../../tenancy/issue-key.ts';
import type { KeyRegister } from '../../tenancy/key-register.ts';
import { MisuseError, parseOptions, takeOperand } from '../command.ts';
import { importOptions } from '../options/keys.ts';
import { describeWriteFailure } from '../write-new-file.ts';
import { withRegister } from './open-register.ts';
import { readKeyTable, type TableRow } from './read-key-table.ts';

const pathOf = ({ organization, project, name }: Pick<KeyRequest, 'organization' | 'project' | 'name'>): string =>
  `${organization}/${project}/${name}`;

/** A row of the table with its key. */
interface NewKey {
  readonly place: string;
  readonly request: KeyRequest;
}

/** A second import of one file must not create every key twice. */
const findPresent = async (keys: KeyRegister, rows: readonly NewKey[]): Promise<ReadonlySet<NewKey>> => {
  const present = new Set((await keys.present(rows.map(({ request }) => request))).map(pathOf));
  return new Set(rows.filter(({ request }) => present.has(pathOf(request))));
};

/** One line for each row that is wrong. */
const describeWrong = (
  table: readonly TableRow[],
  rows: readonly NewKey[],
  refused: ReadonlyMap<number, GatewayError>,
): readonly string[] => {
  const messages = new Map([...refused].map(([index, { message }]) => [rows[index]?.place, message]));
  return table.flatMap(({ place, key }) => (key instanceof Error ? key.message : (messages.get(place) ?? [])));
};

/**
 * The keys that are to be created.
 * @throws MisuseError with one line for each wrong row
 * @throws GatewayError `conflict` where keys exist
 */
const selectKeys = async (
  keys: KeyRegister,
  table: readonly TableRow[],
  { skips, allowUnknownProject }: { readonly skips: boolean; readonly allowUnknownProject: boolean },
): Promise<readonly NewKey[]> => {
  const rows = table.flatMap(({ place, key }) =>
    key instanceof Error ? [] : [{ place, request: { ...key, allowUnknownProject } }],
  );
  const present = await findPresent(keys, rows);
  const missing = rows.filter((row) => !present.has(row));
  const refused = keys.examine(
    missing.map(({ request }) => request),
    (index) => missing[index]?.place ?? '',
  );
  const exist =
    present.size === 0 || skips
      ? []
      : [
          `${present.size} of these keys exist: ${listSome([...present].map(({ request }) => pathOf(request)))}. ` +
            'Remove their rows, or give --skip-existing.',
        ];
  const wrong = describeWrong(table, missing, refused);
  if (wrong.length === 0 && exist.length > 0) throw new GatewayError('conflict', exist.join(''));
  if (wrong.length === 0) return missing;
  const sum = wrong.length === 1 ? [] : [`${wrong.length} of ${table.length} rows are wrong.`];
  throw new MisuseError([...wrong, ...exist, ...sum].join('\n'));
};

const writeSecrets = (created: readonly IssuedKey[]): string =>
  [
    'organization,project,name,id,secret',
    ...created.map(({ key: { organization, project, name, id }, secret }) =>
      [organization, project, name, id, secret].join(','),
    ),
    '',
  ].join('\n');

type Write = (text: string) => Promise<void>;

/** Runs an action that gets the function which writes the new file. Without the file nothing is created. */
const withNewFile = async (path: string, action: (write: Write) => Promise<void>): Promise<void> => {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST'
      ? new MisuseError(`${path} exists. Secrets are written to a new file only: choose another name.`)
      : describeWriteFailure(path, error);
  });
  let isWritten = false;
  try {
    await action(async (text) => {
      await file.writeFile(text);
      await file.sync();
      isWritten = true;
    });
  } finally {
    await file.close();
    if (!isWritten) await rm(path);
  }
};

/** Creates the keys. Keys whose secrets cannot be written are revoked. */
const create = async (keys: KeyRegister, rows: readonly NewKey[], write: Write): Promise<void> => {
  const placeOf = (index: number): string => rows[index]?.place ?? '';
  const created = await keys.createAll(
    rows.map(({ request }) => request),
    placeOf,
  );
  for (const [index, { warnings }] of created.entries())
    for (const warning of warnings) console.error(`warning: ${placeOf(index)}: ${warning}`);
  try {
    await write(writeSecrets(created));
  } catch (error) {
    for (const { key } of created) await keys.revoke(key.id);
    throw error;
  }
};

const readTable = async (path: string): Promise<readonly TableRow[]> =>
  readKeyTable(
    await readFile(path, 'utf8').catch((error: unknown) => {
      throw new MisuseError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
    }),
  );

/** `koine keys import FILE.csv`: creates all keys of a table or none, and writes their secrets. */
export async function importKeys(args: readonly string[], builtIns: BuiltIns): Promise<number> {
  const [path, rest] = takeOperand(args);
  if (path === undefined) throw new MisuseError('Give the table first: koine keys import FILE.csv --out SECRETS.csv.');
  const { config, out, ...options } = parseOptions(rest, importOptions);
  const table = await readTable(path);
  return withRegister(config, builtIns, async (keys) => {
    const requests = await selectKeys(keys, table, {
      skips: options['skip-existing'],
      allowUnknownProject: options['allow-unknown-project'],
    });
    const skipped = table.length - requests.length;
    if (requests.length > 0) {
      if (out === undefined) await create(keys, requests, async (text) => void process.stdout.write(text));
      else await withNewFile(out, (write) => create(keys, requests, write));
    }
    console.error(
      `Created ${requests.length} ${requests.length === 1 ? 'key' : 'keys'}` +
        `${skipped === 0 ? '' : `, skipped ${skipped} existing`}.` +
        (out === undefined || requests.length === 0
          ? ''
          : ` Their secrets are in ${out}, which only this user can read.`),
    );
    return 0;
  });
}

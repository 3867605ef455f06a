import { open, readFile, rm } from 'node:fs/promises';
import { listSome } from '../../canonical/text/list-some.ts';
import type { KeyRequest } from '../../config/validate/read-key.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import type { IssuedKey } from '../../tenancy/issue-key.ts';
import type { KeyRegister } from '../../tenancy/key-register.ts';
import { DEFAULT_CONFIG, MisuseError, parseOptions } from '../command.ts';
import { describeWriteFailure } from '../write-new-file.ts';
import { withRegister } from './open-register.ts';
import { placeOf, readKeyTable } from './read-key-table.ts';

const pathOf = ({ organization, project, name }: Pick<KeyRequest, 'organization' | 'project' | 'name'>): string =>
  `${organization}/${project}/${name}`;

/** A second import of one file must not create every key twice. */
const withoutPresent = async (
  keys: KeyRegister,
  requests: readonly KeyRequest[],
  skips: boolean,
): Promise<readonly KeyRequest[]> => {
  const present = new Set((await keys.present(requests)).map(pathOf));
  const found = requests.filter((request) => present.has(pathOf(request)));
  if (found.length > 0 && !skips)
    throw new GatewayError(
      'conflict',
      `${found.length} of these keys exist: ${listSome(found.map(pathOf))}. ` +
        'Remove their rows, or give --skip-existing.',
    );
  return requests.filter((request) => !present.has(pathOf(request)));
};

const writeSecrets = (created: readonly IssuedKey[]): string =>
  [
    'organization,project,name,id,secret',
    ...created.map(({ key: { organization, project, name, id }, secret }) =>
      [organization, project, name, id, secret].join(','),
    ),
    '',
  ].join('\n');

/** Runs an action that gets the function which writes the new file. Without the file nothing is created. */
const withNewFile = async <T>(
  path: string,
  action: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> => {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST'
      ? new MisuseError(`${path} exists. Secrets are written to a new file only: choose another name.`)
      : describeWriteFailure(path, error);
  });
  let isWritten = false;
  try {
    return await action(async (text) => {
      await file.writeFile(text);
      await file.sync();
      isWritten = true;
    });
  } finally {
    await file.close();
    if (!isWritten) await rm(path);
  }
};

type Write = (text: string) => Promise<void>;

/** Creates the keys. Keys whose secrets cannot be written are revoked. */
const create = async (keys: KeyRegister, requests: readonly KeyRequest[], write: Write): Promise<void> => {
  const created = await keys.createAll(requests, placeOf);
  for (const [index, { warnings }] of created.entries())
    for (const warning of warnings) console.error(`warning: ${placeOf(index)}: ${warning}`);
  try {
    await write(writeSecrets(created));
  } catch (error) {
    for (const { key } of created) await keys.revoke(key.id);
    throw error;
  }
};

const readTable = async (path: string): Promise<readonly KeyRequest[]> =>
  readKeyTable(
    await readFile(path, 'utf8').catch((error: unknown) => {
      throw new MisuseError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
    }),
  );

/** `koine keys import FILE.csv`: creates all keys of a table or none, and writes their secrets. */
export async function importKeys(args: readonly string[], builtIns: BuiltIns): Promise<number> {
  const [path = '', ...rest] = args;
  if (path === '' || path.startsWith('-'))
    throw new MisuseError('Give the table first: koine keys import FILE.csv --out SECRETS.csv.');
  const { config, out, ...options } = parseOptions(rest, {
    config: { type: 'string', default: DEFAULT_CONFIG },
    out: { type: 'string' },
    'skip-existing': { type: 'boolean', default: false },
  });
  const table = await readTable(path);
  return withRegister(config, builtIns, async (keys) => {
    const requests = await withoutPresent(keys, table, options['skip-existing']);
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

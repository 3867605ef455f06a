import { hash as digest } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { isDuration, parseDuration } from '../../config/units/duration.ts';
import { readKeyRequest } from '../../config/validate/read-key.ts';
import { selectSuggestion } from '../../config/suggest.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { readKeyQuery } from '../../http/admin/key-query.ts';
import type { IssuedKey } from '../../tenancy/issue-key.ts';
import type { KeyQuery } from '../../tenancy/key-page.ts';
import type { KeyRegister } from '../../tenancy/key-register.ts';
import type { ListedKey } from '../../tenancy/listed-key.ts';
import { checkFormat, MisuseError, parseOptions } from '../command.ts';
import { createOptions, listOptions, revokeOptions, rotateOptions } from '../options/keys.ts';
import { edit } from './edit.ts';
import { formatKeys } from './format-keys.ts';
import { importKeys } from './import.ts';
import { readSettings } from './key-options.ts';
import { withRegister } from './open-register.ts';

type Action = (args: readonly string[], builtIns: BuiltIns) => Promise<number>;

const readId = ({ id, prefix }: { readonly id?: string | undefined; readonly prefix?: string | undefined }): string => {
  const given = id ?? prefix;
  if (given === undefined || (id !== undefined && prefix !== undefined))
    throw new MisuseError('Give either --id or --prefix to select a key; "koine keys list" shows them.');
  return given;
};

/** Only the secret is written to standard output, so that a script can read it. */
const announce = ({ key, secret, warnings }: IssuedKey, how: string): void => {
  for (const warning of warnings) console.error(`warning: ${warning}`);
  console.error(`${how} ${key.id} (${key.name} of ${key.organization}/${key.project}). The secret is shown only once:`);
  console.log(secret);
};

const create: Action = async (args, builtIns) => {
  const { config: file, ...values } = parseOptions(args, createOptions);
  const { name, organization, project, 'allow-unknown-project': allowUnknownProject } = values;
  if (name === undefined) throw new MisuseError('--name is required: the name of the key.');
  const request = readKeyRequest(
    omitUndefined({ name, organization, project, allowUnknownProject, ...readSettings(values) }),
  );
  announce(await withRegister(file, builtIns, (keys) => keys.create(request)), 'Created the key');
  return 0;
};

/** All pages of a list. */
const readAll = async (register: KeyRegister, query: KeyQuery): Promise<readonly ListedKey[]> => {
  const keys: ListedKey[] = [];
  for (let after = query.after; ;) {
    const page = await register.page(omitUndefined({ ...query, after }));
    keys.push(...page.map(({ key }) => key));
    after = page.at(-1)?.position;
    if (page.length < query.limit) return keys;
  }
};

const list: Action = async (args, builtIns) => {
  const { config: file, format, ...filter } = parseOptions(args, listOptions);
  checkFormat(format);
  const query = readKeyQuery({ query: omitUndefined({ ...filter }) }, Date.now());
  const keys = await withRegister(file, builtIns, async (register) =>
    filter.limit === undefined ? readAll(register, query) : (await register.page(query)).map(({ key }) => key),
  );
  console.log(format === 'json' ? JSON.stringify(keys, undefined, 2) : formatKeys(keys, Date.now()));
  return 0;
};

const revoke: Action = async (args, builtIns) => {
  const options = parseOptions(args, revokeOptions);
  const id = readId(options);
  const { before, after } = await withRegister(options.config, builtIns, (keys) => keys.revoke(id));
  console.error(
    before.revoked
      ? `The key ${after.id} was revoked already.`
      : `Revoked the key ${after.id} (${after.name} of ${after.organization}/${after.project}). ` +
          'Every gateway refuses it within a second.',
  );
  return 0;
};

const rotate: Action = async (args, builtIns) => {
  const options = parseOptions(args, rotateOptions);
  const id = readId(options);
  if (!isDuration(options.overlap))
    throw new MisuseError(`--overlap must look like 30m, 24h or 7d, not "${options.overlap}".`);
  const overlap = parseDuration(options.overlap);
  const issued = await withRegister(options.config, builtIns, (keys) => keys.rotate(id, overlap));
  announce(issued, 'Created the key');
  const replaced = issued.replaced.after;
  console.error(
    `It replaces ${replaced.id}, which expires ${overlap === 0 ? 'now' : `at ${replaced.expiresAt ?? ''}`}.`,
  );
  return 0;
};

const hash: Action = async (args) => {
  parseOptions(args, {});
  if (process.stdin.isTTY) console.error('Write the secret, then Enter and Ctrl-D:');
  const secret = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (secret === '')
    throw new MisuseError('The secret is read from standard input: printf %s "$SECRET" | koine keys hash');
  console.log(digest('sha256', secret));
  return 0;
};

const actions: Readonly<Record<string, Action>> = { create, list, edit, revoke, rotate, import: importKeys, hash };

/** An invalid option is misuse, also where the key register finds it. */
const runAction = async (action: Action, args: readonly string[], builtIns: BuiltIns): Promise<number> => {
  try {
    return await action(args, builtIns);
  } catch (thrown) {
    throw GatewayError.is(thrown) && thrown.code === 'invalid_request' ? new MisuseError(thrown.message) : thrown;
  }
};

/** `koine keys <action>`: works on the database of the configuration, whether a gateway runs or not. */
export const keys: Action = async (args, builtIns) => {
  const [name, ...rest] = args;
  const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action !== undefined) return runAction(action, rest, builtIns);
  const suggestion = name === undefined ? undefined : selectSuggestion(name, Object.keys(actions));
  throw new MisuseError(
    `koine keys needs one of ${Object.keys(actions).join(', ')}.` +
      (suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`),
  );
};

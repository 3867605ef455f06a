import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { listSome } from '../../canonical/text/list-some.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { describeSuggestion } from '../../config/suggest.ts';
import { readKeyChange, type KeyChange } from '../../config/validate/read-key.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import type { KeyRegister } from '../../tenancy/key-register.ts';
import type { ListedKey } from '../../tenancy/listed-key.ts';
import { MisuseError, parseOptions, takeOperand } from '../command.ts';
import { editOptions } from '../options/keys.ts';
import { formatKeys } from './format-keys.ts';
import { readSettings, splitList } from './key-options.ts';
import { removeLimits, setLimits } from './limit-notation.ts';
import { withRegister } from './open-register.ts';

type Values = ReturnType<typeof parseOptions<typeof editOptions>>;

/** What `--remove` can name, and the member of the change that it sets to null. */
const removable: ReadonlyMap<string, string> = new Map([
  ['models', 'models'],
  ['limits', 'limits'],
  ['losses', 'losses'],
  ['vendor-state', 'vendorState'],
  ['cost-headers', 'costHeaders'],
  ['hosted-tools', 'hostedTools'],
  ['tags', 'tags'],
  ['metadata', 'metadata'],
  ['owner', 'owner'],
  ['expires', 'expires'],
]);

const readRemoved = (text: string | undefined): JsonObject =>
  Object.fromEntries(
    (text === undefined ? [] : splitList(text)).map((setting) => {
      const member = removable.get(setting);
      if (member === undefined)
        throw new MisuseError(
          `--remove must name some of ${[...removable.keys()].join(', ')}, not "${setting}".` +
            describeSuggestion(setting, [...removable.keys()]),
        );
      return [member, null];
    }),
  );

/** The change without that of single limits, which depends on the limits that the key has. */
const readChange = ({ limit: _limit, disable, enable, ...values }: Values): JsonObject => {
  if (disable && enable) throw new MisuseError('Give either --disable or --enable.');
  const disabled = disable === true ? true : enable === true ? false : undefined;
  const set = readSettings(values);
  const removed = readRemoved(values.remove);
  const both = Object.keys(removed).find((member) => Object.hasOwn(set, member));
  if (both !== undefined) throw new MisuseError(`--remove names ${both}, which another option sets. Give one of them.`);
  return omitUndefined({ name: values.name, disabled, ...set, ...removed });
};

/** Finds the one valid key of a name. */
const findByName = async (
  keys: KeyRegister,
  name: string,
  { organization, project }: Pick<Values, 'organization' | 'project'>,
): Promise<string> => {
  const where = omitUndefined({ organization, project });
  const isOver = ({ expiresAt }: ListedKey): boolean => expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
  const named = (await keys.named(name, where)).filter((key) => key.revoked !== true);
  const [first, ...others] = named.length > 1 ? named.filter((key) => !isOver(key)) : named;
  if (first === undefined)
    throw new GatewayError(
      'not_found',
      `There is no key called "${name}". "koine keys list" shows all keys.` +
        describeSuggestion(name, await keys.similar(name, where)),
    );
  if (others.length > 0)
    throw new MisuseError(
      `${others.length + 1} keys are called "${name}": ` +
        `${listSome([first, ...others].map((key) => `${key.id} of ${key.organization}/${key.project}`))}. ` +
        'Give --organization and --project, or --id.',
    );
  return first.id;
};

const countGiven = (texts: readonly (string | undefined)[]): number =>
  texts.filter((text) => text !== undefined).length;

/** `koine keys edit`: changes settings of a key. What no option names stays as it is. */
export async function edit(args: readonly string[], builtIns: BuiltIns): Promise<number> {
  const [name, options] = takeOperand(args);
  const values = parseOptions(options, editOptions);
  if (countGiven([name, values.id, values.prefix]) !== 1)
    throw new MisuseError('Give the name of a key, --id or --prefix; "koine keys list" shows them.');
  const { limit = [], 'remove-limit': removed = [], config } = values;
  const base = readChange(values);
  if (Object.keys(base).length + limit.length + removed.length === 0)
    throw new MisuseError(
      'Give what to change, for example --limit cost=50/month; "koine keys edit --help" has all options.',
    );
  if (Object.hasOwn(base, 'limits') && limit.length + removed.length > 0)
    throw new MisuseError('--remove limits removes all limits. Leave out --limit and --remove-limit.');

  const decide = ({ limits }: ListedKey): KeyChange => {
    if (limit.length + removed.length === 0) return readKeyChange(base);
    const kept = setLimits(removeLimits(limits ?? [], removed), limit);
    return readKeyChange({ ...base, limits: kept.length === 0 ? null : kept });
  };
  const { before, after, warnings } = await withRegister(config, builtIns, async (keys) =>
    keys.change(values.id ?? values.prefix ?? (await findByName(keys, name ?? '', values)), decide),
  );
  for (const warning of warnings) console.error(`warning: ${warning}`);
  if (before.limits === undefined && after.limits !== undefined)
    console.error('warning: The key has limits of its own now; those that it inherited do not apply.');
  console.error(`Changed the key ${after.id}. Every gateway applies it within a second:`);
  console.log(formatKeys([after], Date.now()));
  return 0;
}

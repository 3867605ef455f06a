import { isObject } from '../../canonical/json/members.ts';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { usageUnits } from '../../canonical/usage.ts';
import { listSome } from '../../canonical/text/list-some.ts';
import { encodeProblem } from '../../config/problem.ts';
import type { Proposals } from '../../config/proposals.ts';
import { writeYaml } from '../../config/write/write-yaml.ts';
import type { AdminRouter, CallDescription } from '../../contracts/admin.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { refuseUnknown } from './query.ts';
import { count, listOf, objectOf, onlyThese, text, textMembers, texts, wholeOf } from './schemas.ts';

type Given = Readonly<Record<string, unknown>>;

const number = { type: 'number' } as const;

const described = {
  uses: {
    summary: 'The providers that a proposal can use.',
    answer: wholeOf({ uses: texts }),
  },
  propose: {
    summary: 'Writes a provider and a model as YAML for the file, and examines it there. It changes nothing.',
    role: 'viewer',
    body: onlyThese({
      provider: onlyThese({ name: text, use: text, settings: textMembers }, ['name', 'use']),
      model: onlyThese(
        {
          id: text,
          provider: text,
          model: text,
          price: onlyThese({
            input: number,
            output: number,
            units: onlyThese(Object.fromEntries(usageUnits.map((unit) => [unit, number]))),
          }),
        },
        ['id', 'provider', 'model'],
      ),
    }),
    answer: wholeOf({
      yaml: text,
      problems: listOf(objectOf({ line: count, column: count, severity: text, rule: text, message: text })),
    }),
  },
} as const satisfies Readonly<Record<string, CallDescription>>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@*/:-]{0,199}$/;
/** A setting is a text without variables, or with variables of the environment: no file is read for a proposal. */
const SETTING = /^(?:[^$]|\$\{[A-Za-z_][A-Za-z0-9_]*\})*$/;
const MOST_SETTINGS = 20;
const MAX_LENGTH = 500;

const checkMembers = (given: unknown, place: string, members: readonly string[]): Given => {
  if (!isObject(given)) throw invalidRequest(place, `${place || 'The body'} must be an object.`);
  refuseUnknown(given, members);
  return given;
};

const readName = (given: Given, place: string, name: string): string => {
  const value = given[name];
  if (typeof value === 'string' && NAME.test(value)) return value;
  throw invalidRequest(`${place}.${name}`, `${place}.${name} must be a name of letters, digits and . _ @ / : - *.`);
};

const readSettings = (given: unknown): Readonly<Record<string, string>> => {
  if (!isObject(given)) throw invalidRequest('provider.settings', 'provider.settings must be an object of texts.');
  const entries = Object.entries(given).map(([name, value]): readonly [string, string] => {
    const isGood = /^[A-Za-z][A-Za-z0-9]{0,63}$/.test(name) && typeof value === 'string' && value.length <= MAX_LENGTH;
    if (isGood && SETTING.test(value)) return [name, value];
    throw invalidRequest(
      'provider.settings',
      `provider.settings.${name.slice(0, 64)} must be a text without variables other than \${NAME}.`,
    );
  });
  if (entries.length <= MOST_SETTINGS) return Object.fromEntries(entries);
  throw invalidRequest('provider.settings', `provider.settings can have ${MOST_SETTINGS} settings.`);
};

/** Another package than a built-in one would run its code here. */
const readProvider = (value: unknown, uses: readonly string[]): object => {
  const given = checkMembers(value, 'provider', ['name', 'use', 'settings']);
  const { use, settings = {} } = given;
  const known = uses.find((each) => each === use);
  if (known === undefined) throw invalidRequest('provider.use', `provider.use must be ${listSome(uses, ' or ')}.`);
  const config = readSettings(settings);
  return {
    [readName(given, 'provider', 'name')]: {
      use: known,
      ...(Object.keys(config).length === 0 ? {} : { config }),
    },
  };
};

/** Amounts in USD by their names. */
const checkAmounts = (given: Given, place: string): void => {
  for (const [name, amount] of Object.entries(given))
    if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0)
      throw invalidRequest('model.price', `${place}.${name} must be an amount in USD.`);
};

const readPrice = (value: unknown): object => {
  const { units, ...price } = checkMembers(value, 'model.price', ['input', 'output', 'units']);
  checkAmounts(price, 'model.price');
  if (units !== undefined) checkAmounts(checkMembers(units, 'model.price.units', usageUnits), 'model.price.units');
  return omitUndefined({ ...price, units });
};

const readModel = (value: unknown): object => {
  const given = checkMembers(value, 'model', ['id', 'provider', 'model', 'price']);
  const [provider, model] = ['provider', 'model'].map((name) => readName(given, 'model', name));
  return {
    [readName(given, 'model', 'id')]: omitUndefined({
      targets: [{ provider, model }],
      price: given['price'] === undefined ? undefined : readPrice(given['price']),
    }),
  };
};

/** `/admin/proposals`: docs/reference/admin.md. @param proposals absent: the configuration is not a file */
export function addProposalCalls(router: AdminRouter, proposals: Proposals | undefined): void {
  if (proposals === undefined) return;
  const { uses, examine } = proposals;
  router.get('/admin/proposals', () => ({ body: { uses } }), described.uses);
  router.post(
    '/admin/proposals',
    async ({ body }) => {
      const given = checkMembers(body, '', ['provider', 'model']);
      const { provider, model } = given;
      if (provider === undefined && model === undefined)
        throw invalidRequest('', 'The body must have a provider, a model, or both.');
      const yaml = writeYaml(
        omitUndefined({
          providers: provider === undefined ? undefined : readProvider(provider, uses),
          models: model === undefined ? undefined : readModel(model),
        }),
      );
      return { body: { yaml, problems: (await examine(yaml)).map(encodeProblem) } };
    },
    described.propose,
  );
}

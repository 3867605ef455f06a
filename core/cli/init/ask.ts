import { describeSuggestion } from '../../config/suggest.ts';
import { MisuseError } from '../command.ts';
import type { Questions } from './questions.ts';
import { isSet, type Environment, type Offer, type Starter } from './starters.ts';

/** What a first configuration is written from. Secrets are in it only as the names of their variables. */
export interface Choices {
  readonly starters: readonly Starter[];
  /** Of the organization `default`; absent: one person uses the gateway, on this machine. */
  readonly projects?: readonly string[];
  /** The variable with the address of Redis, or `none`; absent: `REDIS_URL`, which can be set later. */
  readonly redis?: string;
  /** The variable with the address of Postgres; absent: SQLite. */
  readonly postgres?: string;
}

const VARIABLE = /^[A-Z_][A-Z0-9_]*$/;
const PROJECT = /^[A-Za-z0-9][A-Za-z0-9._@-]*$/;

/** The text is not repeated: it can be a secret. */
const readVariable = (answer: string): string => {
  if (VARIABLE.test(answer)) return answer;
  throw new MisuseError(
    'Write the name of an environment variable, in capital letters, such as MY_KEY: secrets are never in the file.',
  );
};

const readWords = (answer: string): readonly string[] => answer.split(/[\s,]+/).filter((word) => word !== '');

const readVendors =
  (offers: readonly Offer[], preset: readonly Offer[]) =>
  (answer: string): readonly Offer[] => {
    const words = readWords(answer);
    if (words.length === 0) return preset;
    if (words.length === 1 && words[0] === 'none') return [];
    const names = offers.map(({ name }) => name);
    return words.map((word) => {
      const found = offers.find(({ name }, index) => name === word.toLowerCase() || String(index + 1) === word);
      if (found !== undefined) return found;
      throw new MisuseError(`There is no vendor ${JSON.stringify(word)}.${describeSuggestion(word, names)}`);
    });
  };

const askVendors = async (
  { ask, say }: Questions,
  offers: readonly Offer[],
  env: Environment,
): Promise<readonly Offer[]> => {
  const preset = offers.filter(({ variables }) => variables.some((variable) => isSet(env, variable)));
  say('Vendors whose models the gateway offers:');
  for (const [index, { name, variables }] of offers.entries()) {
    const found = variables.find((variable) => isSet(env, variable));
    say(`  ${String(index + 1).padStart(2)} ${name}${found === undefined ? '' : ` (${found} is set)`}`);
  }
  const names = preset.length === 0 ? 'none' : preset.map(({ name }) => name).join(', ');
  return [...new Set(await ask(`Names or numbers, with commas [${names}]:`, readVendors(offers, preset)))];
};

const askKey = async ({ ask }: Questions, { name, models, variables }: Offer, env: Environment): Promise<Starter> => {
  const preset = variables.find((variable) => isSet(env, variable)) ?? variables[0] ?? '';
  const question = `Environment variable with the key of ${name} [${preset}]:`;
  const variable = await ask(question, (answer) => (answer === '' ? preset : readVariable(answer)));
  return { name, models, variable };
};

const readUse = (answer: string): boolean => {
  const word = answer.toLowerCase();
  if (word === '' || 'alone'.startsWith(word)) return false;
  if ('team'.startsWith(word)) return true;
  throw new MisuseError('Answer alone or team.');
};

const readProjects = (answer: string): readonly string[] => {
  const projects = readWords(answer);
  const wrong = projects.find((project) => !PROJECT.test(project));
  if (wrong === undefined) return [...new Set(['default', ...projects])];
  throw new MisuseError(`A project has letters, digits and . _ @ -, and ${JSON.stringify(wrong)} has others.`);
};

/** @param usual the variable that is offered if it is set */
const askStore = ({ ask }: Questions, what: string, usual: string, env: Environment): Promise<string | undefined> => {
  const preset = isSet(env, usual) ? usual : undefined;
  return ask(`${what}: environment variable with its address, or none [${preset ?? 'none'}]:`, (answer) =>
    answer === '' ? preset : answer === 'none' ? undefined : readVariable(answer),
  );
};

/** Asks what `koine init` writes. An empty answer takes what is in brackets. */
export async function askChoices(
  questions: Questions,
  { keyless, offers }: { readonly keyless: readonly Starter[]; readonly offers: readonly Offer[] },
  env: Environment,
): Promise<Choices> {
  const starters = [...keyless];
  const vendors = await askVendors(questions, offers, env);
  for (const offer of vendors) starters.push(await askKey(questions, offer, env));
  const isTeam = await questions.ask('Who uses the gateway, you alone or a team? [alone]:', readUse);
  const projects = isTeam
    ? await questions.ask('Projects of the team, with commas [default]:', readProjects)
    : undefined;
  const redis = await askStore(questions, 'Redis, if several gateways share limits', 'REDIS_URL', env);
  const postgres = await askStore(questions, 'Postgres, in place of a SQLite file', 'DATABASE_URL', env);
  return {
    starters,
    ...(projects === undefined ? {} : { projects }),
    redis: redis ?? 'none',
    ...(postgres === undefined ? {} : { postgres }),
  };
}

import type { CheckContext } from '../checks/check.ts';
import { entries, member } from '../checks/tolerant.ts';
import { describeSuggestion, selectSuggestion } from '../suggest.ts';

type Context = Pick<CheckContext, 'data' | 'registry' | 'builtInProviders' | 'providers'>;
type Describe = (context: Context, name: string, known: readonly string[]) => string;

/** More names than these are not listed. */
const MAX_LISTED = 10;
const list = (what: string, names: readonly string[]): string =>
  names.length === 0 || names.length > MAX_LISTED ? '' : ` The ${what} are ${names.join(', ')}.`;

const describeWire: Describe = ({ registry, builtInProviders, providers }, name, known) => {
  const own = Object.hasOwn(providers, name) ? providers[name]?.definition.name : undefined;
  const provider = own ?? builtInProviders.find((candidate) => candidate === name);
  if (provider === undefined) return describeSuggestion(name, known) || list('wires', known);
  const defined = registry.wiresOf(provider).filter((wire) => known.includes(wire));
  const wires = defined.length === 1 ? ` Its wire is ${defined[0]}.` : ` Its wires are ${defined.join(', ')}.`;
  return ` It is a provider, not a wire.${defined.length === 0 ? list('wires', known) : wires}`;
};

const describeProvider: Describe = ({ data, registry, builtInProviders, providers }, name, known) => {
  const [other] =
    entries(member(data, 'providers')).find(
      ([entry, settings]) => member(settings, 'use') === name && Object.hasOwn(providers, entry),
    ) ?? [];
  if (other !== undefined) return ` The provider with "use: ${name}" is named ${JSON.stringify(other)}.`;
  if (builtInProviders.includes(name)) return ` Add it under providers: ${name}: { use: ${name} }.`;
  const suggestion = describeSuggestion(name, known);
  if (suggestion !== '') return suggestion;
  const isWire = registry.codecs.some(({ wire }) => wire === name);
  return `${isWire ? ' It is a wire.' : ''}${list('providers of the file', known)}`;
};

/** Ids begin with the provider, which clients leave out. */
const describeModel: Describe = (_, name, known) => {
  const nameOf = (id: string): string => id.slice(id.indexOf('/') + 1);
  const meant = known.find((id) => id !== name && nameOf(id) === name) ?? selectSuggestion(name, known);
  if (meant !== undefined) return ` Did you mean ${JSON.stringify(meant)}?`;
  const near = name.includes('/') ? undefined : selectSuggestion(name, known.map(nameOf));
  return near === undefined ? '' : ` Did you mean ${JSON.stringify(known.find((id) => nameOf(id) === near))}?`;
};

const describeProject: Describe = (_, name, known) =>
  describeSuggestion(name, known) || list('projects of the file', known);

const describers = {
  wire: describeWire,
  provider: describeProvider,
  model: describeModel,
  project: describeProject,
};

/** Sentences about a name that does not exist, with a space before them, or an empty text. */
export const describeReference = (
  context: Context,
  what: keyof typeof describers,
  name: string,
  known: Iterable<string>,
): string => describers[what](context, name, [...known]);

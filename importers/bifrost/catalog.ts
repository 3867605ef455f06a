import type { JsonObject } from '../../core/api/index.ts';
import { omitUndefined } from '../../core/api/codec.ts';
import type { ConfigPath, ImportHelp } from '../../core/api/internal.ts';
import { AUDIO, EMBEDDING, IMAGES, mediaOf, SPEECH } from '../shared/modes.ts';
import { normalizeName } from '../shared/names.ts';
import type { Note, Notes } from '../shared/notes.ts';
import { escapeInterpolation } from '../shared/variables.ts';
import { modelAt, type Backend } from './backends.ts';
import { LOST_RULE } from './pinned.ts';
import type { Price } from './prices.ts';
import type { Rule, RuleTarget } from './rules.ts';

interface Target {
  readonly backend: Backend;
  readonly model: string;
  readonly weight: number;
}

interface Model {
  readonly targets: readonly Target[];
  readonly wires?: readonly string[];
  /** Of a wildcard: models that have a name without a provider as well. */
  readonly known?: readonly string[];
}

/** The models of the configuration, by their id: `<provider>/<name>`, as clients name them. */
export type Catalog = ReadonlyMap<string, Model>;

/** The ids and patterns that select at least one model. */
export const selecting = (catalog: Catalog, patterns: readonly string[]): readonly string[] =>
  patterns.filter((pattern) =>
    pattern.endsWith('/*')
      ? [...catalog.keys()].some((id) => id.startsWith(pattern.slice(0, -1)))
      : catalog.has(pattern),
  );

interface Parts {
  readonly backends: readonly Backend[];
  readonly rules: readonly Rule[];
  /** Names of models that other sections use, by provider. */
  readonly mentioned: ReadonlyMap<string, ReadonlySet<string>>;
  readonly help: ImportHelp;
  readonly notes: Pick<Notes, 'note' | 'fail'>;
}

/** @param keyId the only key of the provider that is used */
const targetsAt = (
  backends: readonly Backend[],
  { provider, model: name = '', weight: share, keyId }: RuleTarget,
): readonly Target[] => {
  const serving = backends.flatMap((backend) => {
    const isUsed = backend.of === provider && (keyId === undefined || backend.names.includes(keyId));
    const model = isUsed ? modelAt(backend, name) : undefined;
    return model === undefined ? [] : [{ backend, model, weight: backend.weight }];
  });
  const total = serving.reduce((sum, { weight }) => sum + weight, 0);
  return serving.map((target) => ({
    ...target,
    weight: Number((total === 0 ? share : (share * target.weight) / total).toFixed(6)),
  }));
};

/** Stands for every model of a provider. */
const WILDCARD = '*';

/** The names of models of a provider, with what is known of them. */
const namesOf = (
  provider: string,
  { backends, mentioned, help, notes: { note } }: Parts,
): ReadonlyMap<string, Pick<Model, 'wires' | 'known'>> => {
  const own = backends.filter(({ of }) => of === provider);
  const names = new Map<string, Pick<Model, 'wires' | 'known'>>();
  for (const { key } of own)
    for (const name of [...(key.models ?? []), ...Object.keys(key.aliases)]) names.set(name, {});
  for (const name of mentioned.get(provider) ?? []) names.set(name, {});
  const open = own.find(({ key }) => key.models === undefined);
  if (open === undefined) return names;
  const starters = open.key.served === undefined && open.vendor !== 'azure' ? help.starters(open.use) : [];
  // A wildcard would serve what a key excludes, and a server with one model has no other.
  const isClosed = own.some(({ key }) => key.excluded.length > 0 || key.served !== undefined);
  if (!isClosed) return names.set(WILDCARD, { known: starters.map(({ name }) => name) });
  for (const { name, wires } of starters) names.set(name, omitUndefined({ wires }));
  const served = [...names.keys()].filter((name) => own.some((backend) => modelAt(backend, name) !== undefined));
  note(
    [...open.key.at, 'models'],
    (served.length === 0 ? '' : `It is replaced by ${served.join(', ')}. `) +
      'Add the other models that you use: a wildcard cannot exclude models.',
    ['providers', open.provider],
  );
  return names;
};

/** The models that a rule selects: also those that a wildcard serves, since its targets would be used otherwise. */
const selectedBy = (catalog: ReadonlyMap<string, Model>, { model }: Rule): readonly string[] => {
  const name = normalizeName(model);
  const ids = [...catalog.keys()].flatMap((id) => {
    const slash = id.indexOf('/') + 1;
    return id.slice(slash) === name ? [id] : id.slice(slash) === WILDCARD ? [id.slice(0, slash) + name] : [];
  });
  return [...new Set(ids)];
};

/** Replaces the targets of the models that a rule selects. */
const applyRule = (catalog: Map<string, Model>, rule: Rule, { backends, notes }: Parts): void => {
  const selected = selectedBy(catalog, rule);
  const [first] = rule.targets;
  const provider = normalizeName(first?.provider ?? '') || 'routed';
  const ids = selected.length > 0 ? selected : [`${provider}/${normalizeName(rule.model)}`];
  for (const id of ids) {
    const incoming = { provider: id.slice(0, id.indexOf('/')), model: rule.model };
    const targets = [...rule.targets, ...rule.fallbacks].flatMap((target) =>
      targetsAt(backends, { ...incoming, ...target }),
    );
    if (targets.length > 0) catalog.set(id, { ...catalog.get(id), targets });
    else if (selected.length > 0) notes.fail(rule.at, LOST_RULE, ['models']);
    else notes.note(rule.at, 'None of its targets was imported, so the rule is left out.', ['models']);
  }
};

const wiresOf = {
  embedding: EMBEDDING,
  audio_transcription: AUDIO,
  audio_speech: SPEECH,
  image_generation: IMAGES,
} as const;

export function readCatalog(parts: Parts): Catalog {
  const catalog = new Map<string, Model>();
  for (const provider of new Set(parts.backends.map(({ of }) => of)))
    for (const [name, { wires, known }] of namesOf(provider, parts)) {
      const targets = targetsAt(parts.backends, { provider, model: name, weight: 1 });
      const [first] = targets;
      if (first === undefined || normalizeName(name) === '') continue;
      const media = wires === undefined ? mediaOf(first.model) : undefined;
      catalog.set(
        `${normalizeName(provider)}/${normalizeName(name)}`,
        omitUndefined({ targets, known, wires: wires ?? (media && wiresOf[media]) }),
      );
    }
  for (const rule of parts.rules) applyRule(catalog, rule, parts);
  return catalog;
}

const targetId = ({ backend, model }: Target): string => `${backend.provider}/${model}`;

/** Each target once, with the sum of its weights. */
const merge = (targets: readonly Target[]): readonly Target[] =>
  [...Map.groupBy(targets, targetId).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, weight: [first, ...others].reduce((sum, { weight }) => sum + weight, 0) }],
  );

interface Sections {
  readonly models: JsonObject;
  readonly aliases: JsonObject;
  readonly choices: JsonObject;
}

/** Names without a provider, for the first provider that has the model. */
const writeAliases = (catalog: Catalog, note: Note): JsonObject => {
  const ids = [...catalog].flatMap(([id, { known }]) =>
    id.endsWith(WILDCARD) ? (known ?? []).map((name) => id.slice(0, -1) + name) : [id],
  );
  const byName = Map.groupBy(new Set(ids), (id) => id.slice(id.indexOf('/') + 1));
  const shared = [...byName].filter(([, named]) => named.length > 1).map(([name]) => name);
  const at: ConfigPath = ['providers'];
  if (shared.length > 0)
    note(
      at,
      `Several providers serve ${shared.join(', ')}. Without a provider in front, these names are sent to the first. ` +
        'To use several, give a model several targets.',
      ['aliases'],
    );
  return Object.fromEntries(
    [...byName].flatMap(([name, [first]]) =>
      first === undefined || catalog.has(name) ? [] : [[name, first] as const],
    ),
  );
};

/** @param priceOf the price of a target, if the source has one */
export function writeCatalog(
  catalog: Catalog,
  priceOf: (provider: string, model: string) => Price,
  note: Note,
): Sections {
  const models: Record<string, JsonObject> = {};
  const choices: Record<string, JsonObject> = {};
  for (const [id, { targets: given, wires }] of catalog) {
    const targets = merge(given);
    models[id] = omitUndefined({
      wires,
      targets: targets.map(({ backend, model }) =>
        omitUndefined({
          provider: backend.provider,
          model: escapeInterpolation(model),
          price: priceOf(backend.of, model),
        }),
      ),
    });
    const balanced = targets.filter(({ weight }) => weight > 0).length;
    if (targets.length > 1 && balanced > 1)
      choices[id] = { weights: Object.fromEntries(targets.map((target) => [targetId(target), target.weight])) };
  }
  return { models, aliases: writeAliases(catalog, note), choices };
}

import type { InitModel, JsonObject } from '../../core/api/index.ts';
import { omitUndefined } from '../../core/api/codec.ts';
import type { ImportHelp } from '../../core/api/internal.ts';
import { writeSeconds } from '../shared/durations.ts';
import { freeName, normalizeName } from '../shared/names.ts';
import type { Note } from '../shared/notes.ts';
import { escapeInterpolation } from '../shared/variables.ts';
import { namesIn, planFor, type Leaf, type Node, type Plan } from './tree.ts';

/** A model of the catalog. */
interface Model {
  /** The name that clients use. */
  readonly name: string;
  readonly plan: Plan;
  readonly wires?: readonly string[];
}

const leavesOf = ({ first, rest }: Plan): readonly Leaf[] => [...first.map(({ target }) => target), ...rest];

const withLeaves = ({ first, rest }: Plan, convert: (leaf: Leaf) => readonly Leaf[]): Plan => ({
  first: first.flatMap(({ target, weight }) => convert(target).map((leaf) => ({ target: leaf, weight }))),
  rest: rest.flatMap(convert),
});

/** The plan of a request for this model. */
const complete = (plan: Plan, name: string): Plan =>
  withLeaves(plan, (leaf) => [{ ...leaf, model: leaf.model ?? name }]);

/** The models for targets that take the model from the request: those that `koine init` would write. */
const expand = (plan: Plan, help: ImportHelp, note: Note): readonly Model[] => {
  const open = leavesOf(plan).filter(({ model }) => model === undefined);
  const starters = new Map<string, { readonly starter: InitModel; readonly use: string }>();
  for (const { use, at } of open) {
    const known = help.starters(use);
    for (const starter of known) starters.set(starter.name, { starter, use });
    note(
      at,
      'This target gets the model of the request. Here the catalog lists the models: ' +
        (known.length === 0
          ? 'add those that you use.'
          : `${known.map(({ name }) => name).join(', ')}. Add the others that you use.`),
      ['models'],
    );
  }
  return [...starters.values()].map(({ starter: { name, wires }, use }) => ({
    name,
    ...(wires === undefined ? {} : { wires }),
    plan: withLeaves(plan, (leaf) =>
      leaf.model === undefined
        ? leaf.use === use || leaf.use === 'openai-compatible'
          ? [{ ...leaf, model: name }]
          : []
        : wires?.includes('embeddings') === true
          ? []
          : [leaf],
    ),
  }));
};

/** The models of a config: those that its conditions name, and those of requests that no condition selects. */
export function listModels(root: Node | undefined, help: ImportHelp, note: Note): readonly Model[] {
  const conditional = [...new Set(namesIn(root))].map((name) => ({
    name,
    plan: complete(planFor(root, name), name),
  }));
  const others = planFor(root, undefined);
  const name = leavesOf(others).find(({ model }) => model !== undefined)?.model;
  const isSelected = conditional.some(({ plan }) => JSON.stringify(plan) === JSON.stringify(others));
  return [
    ...conditional,
    ...(name === undefined || isSelected ? [] : [{ name, plan: complete(others, name) }]),
    ...expand(others, help, note),
  ];
}

const targetId = ({ provider, model = '' }: Leaf): string => `${provider}/${model}`;

/** Each target once, with the sum of its weights. */
const weigh = ({ first, rest }: Plan): ReadonlyMap<string, { readonly leaf: Leaf; readonly weight: number }> => {
  const weighed = new Map<string, { readonly leaf: Leaf; readonly weight: number }>();
  for (const { target: leaf, weight } of [...first, ...rest.map((target) => ({ target, weight: 0 }))])
    weighed.set(targetId(leaf), { leaf, weight: weight + (weighed.get(targetId(leaf))?.weight ?? 0) });
  return weighed;
};

const readTimeouts = (leaves: readonly Leaf[], name: string, note: Note): JsonObject | undefined => {
  const given = leaves.flatMap(({ timeout }) => timeout ?? []);
  if (given.length === 0) return undefined;
  const [longest, [first]] = [Math.max(...given), leaves];
  if (first !== undefined && (given.length < leaves.length || Math.min(...given) < longest))
    note(first.at, `The targets of "${name}" have different timeouts. The longest applies to all of them.`, ['models']);
  return { firstByte: writeSeconds(longest) };
};

interface Catalog {
  readonly models: JsonObject;
  readonly aliases: JsonObject;
  /** Settings of the plugin `failover` by model. */
  readonly choices: JsonObject;
}

/** Writes the catalog. */
export function writeModels(models: readonly Model[], note: Note): Catalog {
  const catalog: Catalog & Record<keyof Catalog, Record<string, unknown>> = { models: {}, aliases: {}, choices: {} };
  for (const { name: given, plan, wires } of models) {
    const name = normalizeName(given);
    const targets = [...weigh(plan).values()];
    const [main] = targets;
    if (main === undefined || name === '' || Object.hasOwn(catalog.aliases, name)) continue;
    const id = freeName(name.includes('/') ? name : `${main.leaf.provider}/${name}`, (taken) =>
      Object.hasOwn(catalog.models, taken),
    );
    const timeouts = readTimeouts(
      targets.map(({ leaf }) => leaf),
      name,
      note,
    );
    catalog.models[id] = omitUndefined({
      wires,
      targets: targets.map(({ leaf: { provider, model = '' } }) => ({ provider, model: escapeInterpolation(model) })),
      timeouts,
    });
    if (id !== name) catalog.aliases[name] = id;
    if (plan.first.length > 1 && targets.length > 1)
      catalog.choices[id] = {
        weights: Object.fromEntries(targets.map(({ leaf, weight }) => [targetId(leaf), weight])),
      };
  }
  return catalog;
}

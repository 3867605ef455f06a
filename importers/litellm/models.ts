import type { JsonObject } from '../../core/api/index.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import { omitUndefined } from '../../core/api/codec.ts';
import { writeSeconds } from '../shared/durations.ts';
import type { Note } from '../shared/notes.ts';
import { escapeInterpolation } from '../shared/variables.ts';
import type { Deployment } from './deployments.ts';
import type { Fallbacks } from './fallbacks.ts';
import type { Group } from './groups.ts';

/** The settings of the plugin `failover` for a model. */
export type Choice = JsonObject;

export interface Model {
  readonly settings: JsonObject;
  readonly choice?: Choice;
}

const targetId = ({ provider, model }: Deployment): string => `${provider}/${model}`;

/** Merges deployments with the same target, and adds up their weights. */
const merge = (deployments: readonly Deployment[]): readonly Deployment[] =>
  [...Map.groupBy(deployments, targetId).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return others.length === 0
      ? [first]
      : [{ ...first, weight: [first, ...others].reduce((sum, { weight = 1 }) => sum + weight, 0) }];
  });

const longest = (values: readonly (number | undefined)[]): number | undefined => {
  const given = values.filter((value): value is number => value !== undefined && value > 0);
  return given.length === 0 ? undefined : Math.max(...given);
};

const readTimeouts = (deployments: readonly Deployment[]): JsonObject => {
  const firstByte = longest(deployments.map(({ timeout }) => timeout));
  const firstContent = longest(deployments.map(({ streamTimeout }) => streamTimeout));
  return omitUndefined({
    firstByte: firstByte === undefined ? undefined : writeSeconds(firstByte),
    firstContent: firstContent === undefined ? undefined : writeSeconds(firstContent),
  });
};

const chooseTargets = (
  own: readonly Deployment[],
  fallbackTargets: readonly Deployment[],
  routing: string,
): Choice | undefined => {
  if (own.length + fallbackTargets.length < 2) return undefined;
  if (own.some(({ order }) => order !== undefined) || own.length < 2) return { routing: 'order' };
  if (fallbackTargets.length === 0 && (routing !== 'weighted' || own.every(({ weight }) => weight === undefined)))
    return undefined;
  const weights = [
    ...own.map((target) => [targetId(target), routing === 'weighted' ? (target.weight ?? 1) : 1] as const),
    ...fallbackTargets.map((target) => [targetId(target), 0] as const),
  ];
  return { weights: Object.fromEntries(weights) };
};

/** Defaults are those of a model here, and not of a target. */
const readSharedDefaults = (
  own: readonly Deployment[],
  name: string,
  to: ConfigPath,
  note: Note,
): Deployment['defaults'] => {
  const [first] = own;
  const written = JSON.stringify(first?.defaults);
  if (first !== undefined && own.some(({ defaults }) => JSON.stringify(defaults) !== written))
    note(
      [...first.at, 'litellm_params'],
      `The deployments of "${name}" have different defaults of requests. Those of the first are used for all of them.`,
      to,
    );
  return first?.defaults;
};

interface Parts {
  readonly fallbacks: Fallbacks;
  /** The routing of models that do not set one. */
  readonly routing: string;
  readonly note: Note;
}

/** Builds a model whose targets are the deployments of a group, followed by those of its fallbacks. */
export function buildModel({ name, id, deployments }: Group, { fallbacks, routing, note }: Parts): Model {
  const own = merge(deployments);
  const fallbackTargets = merge(fallbacks(name).flatMap((group) => group.deployments)).filter(
    (target) => !own.some((other) => targetId(other) === targetId(target)),
  );
  const targets = [...own, ...fallbackTargets];
  const to = ['models', id];
  if (own.some(({ order, weight }) => order !== undefined && weight !== undefined))
    note([...(own[0]?.at ?? [])], `The targets of "${name}" are tried in order, so their weights are left out.`, to);
  if (routing === 'least-latency' && fallbackTargets.length > 0 && own.length > 1)
    note(
      [...(own[0]?.at ?? [])],
      `"${name}" has several targets and fallbacks, so a target is chosen at random, not by latency.`,
      to,
    );
  const [price] = targets.map((target) => target.price);
  const isShared =
    price !== undefined && targets.every((target) => JSON.stringify(target.price) === JSON.stringify(price));
  const capabilities = own.find((target) => Object.keys(target.capabilities).length > 0)?.capabilities;
  const timeouts = readTimeouts(deployments);
  const defaults = readSharedDefaults(own, name, to, note);
  const wires = own[0]?.wires;
  const choice = chooseTargets(own, fallbackTargets, routing);
  const settings = omitUndefined({
    wires,
    targets: targets.map((target) =>
      omitUndefined({
        provider: target.provider,
        model: escapeInterpolation(target.model),
        price: isShared ? undefined : target.price,
      }),
    ),
    capabilities,
    defaults,
    price: isShared ? price : undefined,
    timeouts: Object.keys(timeouts).length === 0 ? undefined : timeouts,
  });
  return omitUndefined({ settings, choice });
}

import type { Finding, Path } from '../problem.ts';
import type { Check } from './check.ts';
import { unknownReference } from './references.ts';
import { entries, member, names, text } from './tolerant.ts';

/** Follows an alias to its end: a name that is no alias, or one that was passed before. */
const followAlias = (start: string, aliases: ReadonlyMap<string, string>): readonly string[] => {
  const passed = [start];
  for (let next = aliases.get(start); next !== undefined; next = aliases.get(next)) {
    const seen = passed.includes(next);
    passed.push(next);
    if (seen) break;
  }
  return passed;
};

/** An alias leads to a model, and hides none. */
export const checkAliases: Check = (context) => {
  const models = names(member(context.data, 'models'));
  const aliases = new Map(
    entries(member(context.data, 'aliases')).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  );
  return entries(member(context.data, 'aliases')).flatMap(([name, value]): readonly Finding[] => {
    const path: Path = ['aliases', name];
    const shadow: readonly Finding[] = models.has(name)
      ? [
          {
            path,
            on: 'key',
            rule: 'alias-shadows-model',
            message: `The alias ${JSON.stringify(name)} has the name of a model, which could no longer be called.`,
          },
        ]
      : [];
    const goal = text(value);
    if (goal === undefined) return shadow;
    const chain = followAlias(name, aliases);
    if (chain.at(-1) === name && chain.length > 1)
      return [
        ...shadow,
        { path, rule: 'alias-cycle', message: `The alias leads back to itself: ${chain.join(' -> ')}.` },
      ];
    return aliases.has(goal) || models.has(goal)
      ? shadow
      : [...shadow, unknownReference(context, path, goal, [...models, ...aliases.keys()], 'model')];
  });
};

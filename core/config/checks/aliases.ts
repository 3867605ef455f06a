import type { Finding, Path } from '../problem.ts';
import type { Check } from './check.ts';
import { matchesWildcard } from '../wildcards.ts';
import { unknownReference } from './references.ts';
import { entries, member, names, text } from './tolerant.ts';

/** The names that an alias leads through, up to the first that is not an alias or that was visited before. */
const followAlias = (start: string, aliases: ReadonlyMap<string, string>): readonly string[] => {
  const visited = [start];
  for (let next = aliases.get(start); next !== undefined; next = aliases.get(next)) {
    const seen = visited.includes(next);
    visited.push(next);
    if (seen) break;
  }
  return visited;
};

/** An alias must resolve to a model, and must not have the name of one. */
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
            message:
              `The alias ${JSON.stringify(name)} has the same name as a model, which would become unreachable. ` +
              'Rename the alias.',
          },
        ]
      : [];
    const goal = text(value);
    if (goal === undefined) return shadow;
    const chain = followAlias(name, aliases);
    if (chain.at(-1) === name && chain.length > 1)
      return [
        ...shadow,
        {
          path,
          rule: 'alias-cycle',
          message: `The alias refers back to itself: ${chain.join(' -> ')}. Point one of them to a model.`,
        },
      ];
    return aliases.has(goal) || models.has(goal) || [...models].some((id) => matchesWildcard(id, goal))
      ? shadow
      : [...shadow, unknownReference(context, path, goal, [...models, ...aliases.keys()], 'model')];
  });
};

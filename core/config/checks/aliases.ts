import type { Finding, Path } from '../problem.ts';
import type { CheckContext } from './check.ts';
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
export function* checkAliases(context: CheckContext): Iterable<Finding> {
  const models = names(member(context.data, 'models'));
  const all = entries(member(context.data, 'aliases'));
  const aliases = new Map(all.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])));
  for (const [name, value] of all) {
    const path: Path = ['aliases', name];
    if (models.has(name)) {
      const message =
        `The alias ${JSON.stringify(name)} has the same name as a model, which would become unreachable. ` +
        'Rename the alias.';
      yield { path, on: 'key', rule: 'alias-shadows-model', message };
    }
    const goal = text(value);
    if (goal === undefined) continue;
    const chain = followAlias(name, aliases);
    if (chain.at(-1) === name && chain.length > 1) {
      const message = `The alias refers back to itself: ${chain.join(' -> ')}. Point one of them to a model.`;
      yield { path, rule: 'alias-cycle', message };
    } else if (!aliases.has(goal) && !models.has(goal) && ![...models].some((id) => matchesWildcard(id, goal)))
      yield unknownReference(context, path, goal, [...models, ...aliases.keys()], 'model');
  }
}

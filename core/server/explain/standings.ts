import { isObject } from '../../canonical/json/members.ts';
import type { Exchange } from '../../contracts/exchange.ts';
import type { Target } from '../../contracts/target.ts';
import type { Standing } from '../../contracts/attempt.ts';

const states: readonly unknown[] = ['ready', 'behind', 'resting'] satisfies readonly Standing['state'][];

const isStanding = (value: unknown): value is Standing =>
  isObject(value) &&
  typeof value['target'] === 'string' &&
  typeof value['credential'] === 'string' &&
  states.includes(value['state']);

/** The candidates in the explanation of a strategy, the best first; undefined where it lists none. */
export const readStandings = (explanation: unknown): readonly Standing[] | undefined =>
  isObject(explanation) && Array.isArray(explanation['candidates'])
    ? explanation['candidates'].filter(isStanding)
    : undefined;

/** Without a strategy: every credential, in the order of the configuration. */
export const listCredentials = ({ targets }: Pick<Exchange, 'targets'>): readonly Standing[] =>
  targets.flatMap(({ id, credentials }) =>
    credentials.map((credential): Standing => ({ target: id, credential, state: 'ready' })),
  );

/** Targets with a candidate, by their best one; then the others. */
export function orderTargets(targets: readonly Target[], standings: readonly Standing[]): readonly Target[] {
  const placeOf = ({ id }: Target): number => {
    const place = standings.findIndex(({ target }) => target === id);
    return place === -1 ? standings.length : place;
  };
  return targets.toSorted((one, other) => placeOf(one) - placeOf(other));
}

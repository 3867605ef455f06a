import type { JsonObject } from '../../../canonical/wire.ts';
import type { LoadedConfig } from '../../../config/load.ts';
import { GatewayError } from '../../../errors/gateway-error.ts';
import type { Destination, Expectation, Translation } from '../../../extensions/importer.ts';
import type { Explain } from '../../../http/admin/explain.ts';
import type { Explanation } from '../../../server/explain/explanation.ts';
import { createRefusingLink, withExplain } from '../../explain/with-explain.ts';
import { listDestinations, simplify } from './destinations.ts';

/**
 * `different`: fewer destinations than in the source. `missing`: the result refuses the name. `wider`: the result
 * has a destination that the source does not have.
 */
export type Status = 'equal' | 'different' | 'missing' | 'wider';

const stated = ['provider', 'model', 'region', 'project', 'organization', 'key'] as const;

/** Whether everything that the source states is so in the result. */
const isSame = (expected: Destination, found: Destination): boolean =>
  stated.every((fact) => {
    const value = expected[fact];
    return value === undefined || simplify(value) === simplify(found[fact] ?? '');
  });

/** @param found undefined: the result refuses the name */
function compare(expected: readonly Destination[], found: readonly Destination[] | undefined): Status {
  if (found === undefined) return expected.length === 0 ? 'equal' : 'missing';
  if (found.some((one) => !expected.some((other) => isSame(other, one)))) return 'wider';
  return expected.every((one) => found.some((other) => isSame(one, other))) ? 'equal' : 'different';
}

/** One name, with one key, in the source and in the result. */
export interface VerifiedName extends Expectation {
  readonly status: Status;
  readonly found: readonly Destination[];
  /** Why the result refuses it. */
  readonly refusal?: string;
}

/** A caller that may use every model, for sources without keys. */
const ANY = { organization: 'default', project: 'default', name: 'import:verify' };

const verifyName = async (
  expectation: Expectation,
  settings: JsonObject,
  explain: Explain<Explanation>,
): Promise<VerifiedName> => {
  const { name, key: { organization, project, name: key } = ANY, destinations } = expectation;
  try {
    const { targets } = await explain({ key, organization, project, model: name });
    const found = targets.flatMap(({ target }) => listDestinations(settings, target));
    return { ...expectation, found, status: compare(destinations, found) };
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    return { ...expectation, found: [], refusal: thrown.message, status: compare(destinations, undefined) };
  }
};

/**
 * Sends each name through `explain` of the result. Nothing is connected to: the result is explained without Redis.
 * @param loaded the result, with a database of its own
 */
export function verifyNames(
  { config, ...loaded }: LoadedConfig,
  { settings, expected }: Translation,
): Promise<readonly VerifiedName[]> {
  const { redis: _redis, ...store } = config.store;
  const alone: LoadedConfig = { ...loaded, config: { ...config, store } };
  return withExplain(alone, createRefusingLink(new Set()), async (explain) => {
    const verified: VerifiedName[] = [];
    for (const expectation of expected) verified.push(await verifyName(expectation, settings, explain));
    return verified;
  });
}

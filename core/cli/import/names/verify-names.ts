import type { JsonObject } from '../../../canonical/wire.ts';
import type { LoadedConfig } from '../../../config/load.ts';
import { GatewayError } from '../../../errors/gateway-error.ts';
import type { Destination, Expectation, Translation } from '../../../extensions/importer.ts';
import type { Explain } from '../../../http/admin/explain.ts';
import type { Explanation } from '../../../server/explain/explanation.ts';
import { createRefusingLink, withExplain } from '../../explain/with-explain.ts';
import { compare, type Status } from './compare.ts';
import { listDestinations } from './destinations.ts';

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

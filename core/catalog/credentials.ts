import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { Target } from '../contracts/target.ts';
import type { Credential } from '../contracts/extension.ts';

const mapOf = <T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> | undefined =>
  entries.length === 0 ? undefined : new Map(entries);

/** What a target has of its usable credentials. */
export const listCredentials = (
  credentials: readonly Credential[],
): Pick<Target, 'credentials' | 'versions' | 'renewable'> =>
  omitUndefined({
    credentials: credentials.map(({ id }) => id),
    versions: mapOf(credentials.flatMap(({ id, version }) => (version === undefined ? [] : [[id, version] as const]))),
    renewable: mapOf(
      credentials.flatMap((credential) =>
        credential.renew === undefined ? [] : [[credential.id, credential] as const],
      ),
    ),
  });

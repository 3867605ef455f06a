import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { parseDuration } from '../../config/units/duration.ts';
import type { Services } from '../../contracts/services.ts';
import { createRenewal, type Renewal } from '../../extensions/renewal.ts';
import { loadSecret } from '../../services/secret-sources/load-secret.ts';
import type { SecretSource } from '../../services/secret-sources/source.ts';

const READ_EVERY = '10s';
const RUN_EVERY = '5m';

/** Arguments of a program can be secret. */
const describe = ({ file, exec = [] }: SecretSource): string =>
  file === undefined ? `The secret of the program ${basename(exec[0] ?? '')}` : `The secret of the file ${file}`;

/** Without `every`, a program that prints when the secret ends runs again before that. */
const renewAt = ({ file, every }: SecretSource, now: number, endsAt: number): number => {
  if (every === undefined && file === undefined && endsAt !== Number.POSITIVE_INFINITY) return endsAt;
  return now + parseDuration(every ?? (file === undefined ? RUN_EVERY : READ_EVERY));
};

/**
 * Keeps the secret of a source up to date. Equal sources share one renewal, which survives reloads and is closed when
 * no running configuration uses it.
 */
export function createSecretRenewal(source: SecretSource, services: Services): Renewal<string> {
  const { folder, clock, log, shared } = services;
  const name = describe(source);
  let last: string | undefined;
  const create = (): Renewal<string> =>
    createRenewal(
      async (signal) => {
        const { secret, endsAt } = await loadSecret(source, folder, signal);
        if (last !== undefined && last !== secret) log.info({}, `${name} has changed, and the new one is used`);
        last = secret;
        return { value: secret, endsAt, renewAt: renewAt(source, clock.now(), endsAt) };
      },
      services,
      name,
    );
  const key = `core/secret ${hash('sha256', JSON.stringify([folder, source]))}`;
  return shared(key, create, (renewal) => renewal.close());
}

import { pathToFileURL } from 'node:url';
import { isObject } from '../canonical/json/members.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { withTimeout } from './with-timeout.ts';
import { resolveOwnPackage } from './own-package.ts';

const IMPORT_TIMEOUT = 10_000;
/** Error codes for a missing dependency. The module itself was resolved before. https://nodejs.org/api/errors.html */
const MISSING = new Set<unknown>([
  'ERR_MODULE_NOT_FOUND',
  'MODULE_NOT_FOUND',
  'ERR_PACKAGE_PATH_NOT_EXPORTED',
  'ERR_PACKAGE_IMPORT_NOT_DEFINED',
]);

const describeThrow = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.message.split('\n')[0] ?? thrown.name) : String(thrown);

const toFailure = (use: string, thrown: unknown): GatewayError => {
  if (GatewayError.is(thrown) && thrown.code === 'KOINE_EXTENSION_TIMEOUT') return thrown;
  const label = JSON.stringify(use);
  return isObject(thrown) && MISSING.has(thrown['code'])
    ? new GatewayError(
        'KOINE_EXTENSION_DEPENDENCY_MISSING',
        `${label} imports something that cannot be found: ${describeThrow(thrown)}.`,
        { cause: thrown },
      )
    : new GatewayError(
        'KOINE_EXTENSION_BROKEN',
        `${label} threw an error while it was imported: ${describeThrow(thrown)}.`,
        {
          cause: thrown,
        },
      );
};

/**
 * Imports a module and returns its default export.
 * @throws GatewayError `KOINE_EXTENSION_DEPENDENCY_MISSING`, `KOINE_EXTENSION_BROKEN`, `KOINE_EXTENSION_TIMEOUT`
 */
export async function importExtension(use: string, file: string, timeoutMs = IMPORT_TIMEOUT): Promise<unknown> {
  const timedOut = (): GatewayError =>
    new GatewayError(
      'KOINE_EXTENSION_TIMEOUT',
      `The import of ${JSON.stringify(use)} did not complete within ${timeoutMs} ms.`,
    );
  resolveOwnPackage();
  try {
    const module: unknown = await withTimeout(import(pathToFileURL(file).href), timeoutMs, timedOut);
    return isObject(module) ? module['default'] : undefined;
  } catch (thrown) {
    throw toFailure(use, thrown);
  }
}

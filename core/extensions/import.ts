import { pathToFileURL } from 'node:url';
import { isObject } from '../canonical/json/members.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { withTimeout } from './with-timeout.ts';
import { resolveOwnPackage } from './own-package.ts';

const IMPORT_TIMEOUT = 10_000;
/**
 * Node's codes for an import that leads nowhere. The module itself exists: it was resolved before.
 * https://nodejs.org/api/errors.html
 */
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
        `${label} was found, but something it imports was not: ${describeThrow(thrown)}.`,
        { cause: thrown },
      )
    : new GatewayError('KOINE_EXTENSION_BROKEN', `${label} failed while it was imported: ${describeThrow(thrown)}.`, {
        cause: thrown,
      });
};

/**
 * The default export of a module.
 * @throws GatewayError `KOINE_EXTENSION_DEPENDENCY_MISSING`, `KOINE_EXTENSION_BROKEN`, `KOINE_EXTENSION_TIMEOUT`
 */
export async function importExtension(use: string, file: string, timeoutMs = IMPORT_TIMEOUT): Promise<unknown> {
  const late = (): GatewayError =>
    new GatewayError(
      'KOINE_EXTENSION_TIMEOUT',
      `${JSON.stringify(use)} was still being imported after ${timeoutMs} ms.`,
    );
  resolveOwnPackage();
  try {
    const module: unknown = await withTimeout(import(pathToFileURL(file).href), timeoutMs, late);
    return isObject(module) ? module['default'] : undefined;
  } catch (thrown) {
    throw toFailure(use, thrown);
  }
}

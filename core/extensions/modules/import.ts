import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { isObject } from '../../canonical/json/members.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { ExtensionCode } from './code.ts';
import { describeThrow } from '../failures/describe-throw.ts';
import { describeMissing } from '../failures/missing-dependency.ts';
import { findEntry, PACKAGE, resolveOwnPackage } from './own-package.ts';
import { describeUnsupported } from '../failures/unsupported-typescript.ts';
import { adoptCode, confirmCode, loadVersion, resolveVersion } from './versions.ts';
import { withTimeout } from '../with-timeout.ts';

const IMPORT_TIMEOUT = 10_000;

const NO_EXPORT = /does not provide an export named '(\w+)'/;

const describeBroken = async (thrown: unknown, code: ExtensionCode | undefined): Promise<string> => {
  const text = describeThrow(thrown, code);
  const [, name] = NO_EXPORT.exec(text) ?? [];
  if (name === undefined) return text;
  const entry = text.includes(`'${PACKAGE}`) ? await findEntry(name) : undefined;
  return entry === undefined
    ? `${text}. If ${name} is a type, write: import { type ${name} }`
    : `${text}. Import it from '${entry}'`;
};

/** Node names the file. https://nodejs.org/api/addons.html#worker-support */
const adviseOnThreads = (thrown: unknown): string =>
  !isMainThread && thrown instanceof Error && thrown.message.startsWith('Module did not self-register')
    ? ' This native module is not made for several threads: update it, or set server.workers to 1.'
    : '';

const toFailure = async (
  use: string,
  file: string,
  code: ExtensionCode | undefined,
  thrown: unknown,
): Promise<GatewayError> => {
  if (GatewayError.is(thrown) && thrown.code === 'KOINE_EXTENSION_TIMEOUT') return thrown;
  const label = JSON.stringify(use);
  const fail = (...[errorCode, message]: ConstructorParameters<typeof GatewayError>): GatewayError =>
    new GatewayError(errorCode, `${label} ${message}`, { cause: thrown });
  const missing = describeMissing(thrown, file);
  if (missing !== undefined)
    return fail('KOINE_EXTENSION_DEPENDENCY_MISSING', `imports something that cannot be found: ${missing}`);
  const unsupported = describeUnsupported(thrown, code);
  return unsupported === undefined
    ? fail(
        'KOINE_EXTENSION_BROKEN',
        `threw an error while it was imported: ${await describeBroken(thrown, code)}.${adviseOnThreads(thrown)}`,
      )
    : fail('KOINE_EXTENSION_TYPESCRIPT', `cannot be run: ${unsupported}.`);
};

let areHooksRegistered = false;

/**
 * With a load hook, Node 22 loads imported CommonJS modules without calling the hooks for their `require`. Without one,
 * what old code imports late, and a worker that is replaced, have the files as they are by then.
 */
const canHookLoad = !process.versions.node.startsWith('22.');

/** The hooks slow every later import, so they are registered with the first extension that is not built in. */
const registerOwnHooks = (): void => {
  if (areHooksRegistered) return;
  areHooksRegistered = true;
  registerHooks({ resolve: resolveVersion, ...(canHookLoad ? { load: loadVersion } : {}) });
  registerHooks({ resolve: resolveOwnPackage });
};

/** A module of an extension. */
export interface Imported {
  /** Its default export. */
  readonly value: unknown;
  /** How many versions of the file this process has loaded. */
  readonly versions: number;
}

/**
 * Imports the entry file of an extension.
 * @param code its own files; absent for those that are imported only once
 * @throws GatewayError `KOINE_EXTENSION_DEPENDENCY_MISSING`, `_TYPESCRIPT`, `_BROKEN`, `_TIMEOUT`
 */
export async function importExtension(
  use: string,
  file: string,
  code: ExtensionCode | undefined,
  timeoutMs = IMPORT_TIMEOUT,
): Promise<Imported> {
  const timedOut = (): GatewayError =>
    new GatewayError(
      'KOINE_EXTENSION_TIMEOUT',
      `The import of ${JSON.stringify(use)} did not complete within ${timeoutMs} ms.`,
    );
  registerOwnHooks();
  try {
    if (code !== undefined) adoptCode(code);
    const module: unknown = await withTimeout(import(pathToFileURL(code?.entry ?? file).href), timeoutMs, timedOut);
    return {
      value: isObject(module) ? module['default'] : undefined,
      versions: code === undefined ? 1 : confirmCode(code),
    };
  } catch (thrown) {
    throw await toFailure(use, file, code, thrown);
  }
}

import { registerHooks } from 'node:module';
import { extname } from 'node:path';

const inCore = (name: string): string => new URL(`../${name}${extname(import.meta.filename)}`, import.meta.url).href;

/** What `exports` of package.json names. */
const entries: ReadonlyMap<string, string> = new Map([
  ['koine-gateway', inCore('index')],
  ['koine-gateway/testing', inCore('testing/index')],
]);

let isRegistered = false;

/**
 * From now on `koine-gateway` resolves to this gateway's own modules, whichever file imports it. So an extension needs
 * no copy of the package beside it, and never gets a second one. The hook costs every later import a call: it is
 * registered with the first extension that is not built in.
 */
export function resolveOwnPackage(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      const url = entries.get(specifier);
      return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true };
    },
  });
}

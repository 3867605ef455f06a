import { registerHooks } from 'node:module';
import { extname } from 'node:path';

const inCore = (name: string): string => new URL(`../${name}${extname(import.meta.filename)}`, import.meta.url).href;

/** The `exports` of package.json. */
const entries: ReadonlyMap<string, string> = new Map([
  ['koine-gateway', inCore('index')],
  ['koine-gateway/testing', inCore('testing/index')],
]);

let isRegistered = false;

/**
 * Makes `koine-gateway` resolve to the modules of this gateway, whichever file imports it, so that an extension never
 * loads a second copy. The hook slows every later import, so it is registered with the first extension that is not
 * built in.
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

import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Makes the start of a process or a thread faster. It must be imported before any other module is linked.

// Node 22 calls node:sqlite experimental. The gateway's tests cover what it uses of it.
if (process.versions.node.startsWith('22.')) {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning(warning, ...rest);
  };
}

const root = fileURLToPath(new URL('..', import.meta.url));
const isCheckout = existsSync(join(root, 'core/main.ts'));

// The compiled code is cached in the folder of the packages, or of this package: a user who can write there could
// change the code itself. If this process cannot write there, nothing is cached. NODE_COMPILE_CACHE names another
// folder.
module.enableCompileCache(join(root, isCheckout ? 'node_modules/.cache/koine-gateway' : '../.cache'));
// Node writes it at the end of a thread. A gateway can be killed.
setTimeout(module.flushCompileCache, 3_000).unref();

/**
 * A relative import in a folder that holds only modules and no links names the file itself. Node would look for links
 * and for a package.json for each of a thousand files, which is a quarter of the start time.
 */
const shortenResolution = () => {
  // Those of the gateway, and the package with the most files.
  const folders = [
    ...['core', 'importers', 'plugins', 'providers'].map((name) => new URL(`../${name}/`, import.meta.url).href),
    new URL('./', import.meta.resolve('kysely')).href,
  ];
  const formats = new Map([
    ['.js', 'module'],
    ['.ts', 'module-typescript'],
  ]);
  module.registerHooks({
    resolve: (specifier, context, nextResolve) => {
      const format = specifier.startsWith('.') ? formats.get(specifier.slice(-3)) : undefined;
      const { parentURL } = context;
      return format !== undefined && parentURL !== undefined && folders.some((folder) => parentURL.startsWith(folder))
        ? { url: new URL(specifier, parentURL).href, format, shortCircuit: true }
        : nextResolve(specifier, context);
    },
  });
};
// An installed package is bundled, and has few files.
if (isCheckout) shortenResolution();

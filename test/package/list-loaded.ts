import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const packages = new Set<string>();

registerHooks({
  load: (url, context, nextLoad) => {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
    if (name !== undefined) packages.add(name);
    if (url.endsWith('/ajv/dist/ajv.js')) packages.add('compiler of ajv');
    return nextLoad(url, context);
  },
});

/** Preloaded with `--import`: prints the loaded modules of the main thread as the last line of standard error. */
process.on('exit', () => {
  if (!isMainThread) return;
  const { moduleLoadList } = process as typeof process & { readonly moduleLoadList: readonly string[] };
  const fetch = moduleLoadList.some((name) => name.includes('internal/deps/undici')) ? ['fetch of Node'] : [];
  writeSync(2, `\nloaded: ${JSON.stringify([...packages, ...fetch])}\n`);
});

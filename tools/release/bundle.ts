import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { root } from './lockfile.ts';

/** Programs of threads, which are named by their URL. */
const THREADS = ['core/cli/load-thread/start', 'core/cli/serve-thread/start', 'plugins/ledger/thread/start'];
/** Its 250 modules would be a fifth of those that a start loads. Other packages are imported as they are. */
const BUNDLED = 'kysely';

type Exports = Readonly<Record<string, string | { readonly default: string }>>;
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly exports: Exports };

/** The modules that keep their path: the command, the threads and the entries of `exports`, without their extension. */
const entries = [
  'bin/koine',
  ...THREADS,
  ...Object.values(exports)
    .map((found) => (typeof found === 'string' ? found : found.default))
    .flatMap((target) => /^\.\/dist\/(.*)\.js$/.exec(target)?.[1] ?? []),
];
const isJavaScript = (entry: string): boolean => entry.startsWith('bin/') || THREADS.includes(entry);
const sourceOf = (entry: string): string => join(root, `${entry}.${isJavaScript(entry) ? 'js' : 'ts'}`);

const OUTPUT_URL = 'import.meta.output';

/** `import.meta.url` stays that of the module. The files that it leads to are not bundled. */
const keepUrls: Plugin = {
  name: 'urls of modules',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) => {
      const path = relative(root, id).replace(/\.ts$/, '.js');
      return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, ${OUTPUT_URL}).href`);
    },
  },
  renderChunk: (code, { fileName }) => {
    const up = relative(dirname(fileName), '.');
    return code.replaceAll(OUTPUT_URL, `new URL(${JSON.stringify(`${up}/`)}, import.meta.url)`);
  },
};

/**
 * Writes the gateway as a few large modules, without types and comments. Loading 1,100 modules takes more time than
 * running them.
 */
export async function bundle(output: string): Promise<void> {
  const licence = readFileSync(join(root, 'node_modules', BUNDLED, 'LICENSE'), 'utf8');
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [entry, sourceOf(entry)])),
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && id !== BUNDLED,
    plugins: [keepUrls],
  });
  await build.write({
    dir: output,
    format: 'esm',
    entryFileNames: '[name].js',
    // In a folder of the gateway: a stack trace leads to its code or to that of an extension.
    chunkFileNames: 'core/chunks/[name].js',
    codeSplitting: { groups: [{ name: BUNDLED, test: new RegExp(`/node_modules/${BUNDLED}/`) }] },
    postBanner: ({ name }) => (name === BUNDLED ? `/*! ${BUNDLED}\n${licence}*/` : ''),
    comments: false,
  });
  await build.close();
}

import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { bundle } from './bundle.ts';
import { compileBuiltInSettings } from './compile-settings.ts';
import { root } from './lockfile.ts';

/** The output of `npm run build`, which `bin` and `exports` of package.json name. */
const OUTPUT = join(root, 'dist');
/** The folders that are built; each has the same name in the output. */
const FOLDERS = ['bin', 'core', 'importers', 'plugins', 'providers'];
/** The page of the dashboard is served as it is. */
const PAGE = 'plugins/dashboard/page';

/** The declarations of the entries of `exports`. Authors of extensions see only what these import. */
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};
const TYPED = Object.values(exports).flatMap((found) => (typeof found === 'string' ? [] : found.types));
const RELATIVE_IMPORT = /(?:from |import\()['"](\.{1,2}\/[^'"]+)\.ts['"]/g;

/**
 * Two thirds of the declarations belong to modules that no other package can import: without them an install is faster.
 */
function removeUnreachedDeclarations(): void {
  const reached = new Set(TYPED.map((path) => join(root, path)));
  for (const file of reached)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(RELATIVE_IMPORT))
      reached.add(join(dirname(file), `${path}.d.ts`));
  for (const path of globSync('**/*.d.ts', { cwd: OUTPUT }))
    if (!reached.has(join(OUTPUT, path))) rmSync(join(OUTPUT, path));
}

/** `npm run check` checks the types. Without that, the declarations are the same, for a third of the CPU time. */
function writeDeclarations(): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const words = [compiler, '-p', join(root, 'tsconfig.build.json'), '--emitDeclarationOnly', '--noCheck'];
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`tsc failed with exit code ${status}.`);
  removeUnreachedDeclarations();
}

/** `core/config/read/price-file.ts` reads the prices of a built gateway as JSON, which is faster. */
function writePrices(output: string): void {
  for (const path of globSync('providers/**/*.yaml', { cwd: root })) {
    const file = join(output, path.replace(/\.yaml$/, '.json'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(parse(readFileSync(join(root, path), 'utf8'))));
  }
}

/** Writes what the gateway runs: JavaScript, and the files that it reads and serves. */
export async function buildProgram(output: string): Promise<void> {
  for (const folder of FOLDERS) rmSync(join(output, folder), { recursive: true, force: true });
  await bundle(output);
  const settings = join(output, 'core/config/validate/built-in-settings.cjs');
  mkdirSync(dirname(settings), { recursive: true });
  await compileBuiltInSettings(settings);
  writePrices(output);
  cpSync(join(root, PAGE), join(output, PAGE), {
    recursive: true,
    filter: (file) => !file.endsWith('tsconfig.json'),
  });
}

/** Writes the package: the program, and declarations. Only these have comments, which editors show. */
export async function build(): Promise<void> {
  await buildProgram(OUTPUT);
  writeDeclarations();
}

if (import.meta.main) {
  await build();
  console.log('dist: built.');
}

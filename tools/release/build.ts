import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
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

function compile(...options: readonly string[]): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const words = [compiler, '-p', join(root, 'tsconfig.build.json'), ...options];
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`tsc failed with exit code ${status}.`);
}

/** `core/config/read/price-file.ts` reads the prices of a built gateway as JSON, which is faster. */
function writePrices(): void {
  for (const path of globSync('providers/**/*.yaml', { cwd: root })) {
    const file = join(OUTPUT, path.replace(/\.yaml$/, '.json'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(parse(readFileSync(join(root, path), 'utf8'))));
  }
}

/**
 * Writes JavaScript, declarations, and the files that the gateway serves as they are. Comments are in the
 * declarations only, which editors show.
 */
export async function build(): Promise<void> {
  for (const folder of FOLDERS) rmSync(join(OUTPUT, folder), { recursive: true, force: true });
  compile('--removeComments', '--declaration', 'false');
  compile('--emitDeclarationOnly');
  removeUnreachedDeclarations();
  await compileBuiltInSettings(join(OUTPUT, 'core/config/validate/built-in-settings.cjs'));
  writePrices();
  cpSync(join(root, PAGE), join(OUTPUT, PAGE), {
    recursive: true,
    filter: (file) => !file.endsWith('tsconfig.json'),
  });
}

if (import.meta.main) {
  await build();
  console.log('dist: built.');
}

import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compileBuiltInSettings } from './compile-settings.ts';
import { root } from './lockfile.ts';

/** Where `npm run build` writes: what package.json names in `bin` and `exports`. */
const OUTPUT = join(root, 'dist');
/** What is built, from the folders of these names. */
const FOLDERS = ['bin', 'core', 'importers', 'plugins', 'providers'];
/** Files of the dashboard's page that only its type check needs are left out. */
const PAGE = 'plugins/dashboard/page';

/** The entries of `exports`, from whose declarations all that authors of extensions see is reached. */
const TYPED = ['core/index.d.ts', 'core/testing/index.d.ts'];
const RELATIVE_IMPORT = /(?:from |import\()['"](\.{1,2}\/[^'"]+)\.ts['"]/g;

/** Two thirds of the declarations are of modules that no other package can import: an install is quicker without. */
function removeUnreachedDeclarations(): void {
  const reached = new Set(TYPED.map((path) => join(OUTPUT, path)));
  for (const file of reached)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(RELATIVE_IMPORT))
      reached.add(join(dirname(file), `${path}.d.ts`));
  for (const path of globSync('**/*.d.ts', { cwd: OUTPUT }))
    if (!reached.has(join(OUTPUT, path))) rmSync(join(OUTPUT, path));
}

/** JavaScript, declarations and source maps of the gateway, and the files that it reads as they are. */
export function build(): void {
  for (const folder of FOLDERS) rmSync(join(OUTPUT, folder), { recursive: true, force: true });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`tsc ended with the exit code ${status}.`);
  removeUnreachedDeclarations();
  compileBuiltInSettings(join(OUTPUT, 'core/config/validate/built-in-settings.cjs'));
  cpSync(join(root, PAGE), join(OUTPUT, PAGE), {
    recursive: true,
    filter: (file) => !file.endsWith('tsconfig.json'),
  });
}

if (import.meta.main) {
  build();
  console.log('dist: built.');
}

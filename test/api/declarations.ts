import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileTypes } from './compile-types.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Files by the name with which extensions import them; relative to a folder of sources. */
export type EntryFiles = Readonly<Record<string, string>>;

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};

/** The sources of the entries in `exports` of package.json that have types. */
export const entryFiles: EntryFiles = Object.fromEntries(
  Object.entries(exports).flatMap(([name, found]) =>
    typeof found === 'string'
      ? []
      : [[name.replace('.', 'koine-gateway'), found.types.replace('./dist/', '').replace('.d.ts', '.ts')]],
  ),
);

/** The source of the entry that is imported for its effect alone. */
export const REGISTER = 'core/extensions/modules/register.ts';

/**
 * Writes the declarations of the entries, as `npm run build` does, into the folder `output`, with a configuration that
 * contains them alone. Types are not checked: `npm run check` does that.
 */
export function emitDeclarations(sources: string, entries: EntryFiles, output: string): void {
  mkdirSync(output, { recursive: true });
  const config = join(output, 'tsconfig.build.json');
  const compilerOptions = {
    rootDir: sources,
    outDir: output,
    emitDeclarationOnly: true,
    noCheck: true,
    sourceMap: false,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const files = Object.values(entries).map((path) => join(sources, path));
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.build.json'), compilerOptions, files, include: [] }),
  );
  const { status, stdout } = compileTypes(['-p', config]);
  if (status !== 0) throw new Error(`tsc cannot write the declarations of the public API:\n${stdout}`);
  const declarations = Object.entries(entries).map(
    ([name, path]) => [name, `./${path.replace(/\.ts$/, '.d.ts')}`] as const,
  );
  const reader = {
    compilerOptions: {
      module: 'nodenext',
      noEmit: true,
      allowImportingTsExtensions: true,
      types: [],
      paths: Object.fromEntries(declarations.map(([name, path]) => [name, [path]])),
    },
    files: declarations.map(([, path]) => path),
  };
  writeFileSync(join(output, 'tsconfig.json'), JSON.stringify(reader));
  writeFileSync(join(output, 'package.json'), '{ "type": "module" }');
}

let ofPackage: string | undefined;

/** The folder with the declarations of the package, which are written once per process. Only to be read. */
export function packageDeclarations(): string {
  if (ofPackage !== undefined) return ofPackage;
  const folder = createTemporaryFolder();
  process.once('exit', () => folder.remove());
  emitDeclarations(root, entryFiles, folder.path);
  return (ofPackage = folder.path);
}

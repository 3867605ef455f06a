import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface SourceFile {
  /** Relative to the root. */
  readonly path: string;
  readonly text: string;
  /** The text without its comments. */
  readonly code: string;
  /** Relative imports as paths from the root; packages by their names. */
  readonly imports: readonly string[];
}

const IMPORT = /^(?:import|export)\b[^'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

/** Complete comments. A `//` or `/*` within a word is kept, because it can be part of a text. */
const COMMENT = /(?<=^|\s)\/\*.*?\*\/|^\s*\/\/.*$/gms;

const readImports = (path: string, text: string): readonly string[] =>
  [...text.matchAll(IMPORT)].map(([, from, bare, dynamic]) => {
    const specifier = from ?? bare ?? dynamic ?? '';
    return specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier;
  });

/** Every hand-written source file of core, importers, plugins and providers. */
export const sourceFiles: readonly SourceFile[] = globSync('{core,importers,plugins,providers}/**/*.ts', {
  cwd: root,
}).map((path) => {
  const text = readFileSync(join(root, path), 'utf8');
  return { path, text, code: text.replaceAll(COMMENT, ''), imports: readImports(path, text) };
});

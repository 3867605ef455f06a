import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { ExtensionKind } from '../../extensions/extension.ts';
import { ownManifest } from '../../extensions/modules/own-package.ts';
import { build } from '../../services/build.ts';
import type { Names } from './name.ts';

/** An example that `koine new` copies with other names. */
export interface Template {
  /** The folder in examples/, of a checkout or of the package. */
  readonly example: string;
  readonly kind: ExtensionKind;
  /** The names in the files of the example. */
  readonly package: string;
  readonly extension: string;
  /** What the copy is. */
  readonly summary: string;
}

export const templates: ReadonlyMap<string, Template> = new Map([
  [
    'plugin',
    {
      example: 'team-models',
      kind: 'plugin',
      package: 'koine-plugin-team-models',
      extension: 'team-models',
      summary: 'a plugin that chooses the model of a team, refuses prompts and tags responses',
    },
  ],
  [
    'provider',
    {
      example: 'acme-provider',
      kind: 'provider',
      package: 'koine-provider-acme',
      extension: 'acme',
      summary: 'a provider whose server has an OpenAI-compatible API',
    },
  ],
  [
    'wire',
    {
      example: 'ollama-provider',
      kind: 'provider',
      package: 'koine-provider-ollama',
      extension: 'ollama-example',
      summary: 'a provider with a codec for a wire of its own, which is the API of Ollama until you change it',
    },
  ],
]);

export interface TemplateFile {
  readonly path: string;
  readonly text: string;
}

/** What `npm install`, `npm run build` and `koine serve` write into the folder. */
const WRITTEN = ['node_modules', 'dist', 'data'];

const variableOf = (name: string): string => name.toUpperCase().replaceAll('-', '_');

/** Addresses keep the name: it follows a slash there. */
const renameIn = (text: string, from: Template, to: Names): string => {
  const names = new Map([
    [from.package, to.package],
    [from.extension, to.extension],
    [variableOf(from.extension), variableOf(to.extension)],
  ]);
  return text
    .replaceAll(new RegExp(`(?<![/\\w])(?:${[...names.keys()].join('|')})`, 'g'), (name) => names.get(name) ?? name)
    .replace(/("koine-gateway": )"[^"]*"/, `$1"^${build.version}"`);
};

/** The files of a new package. */
export function renderTemplate(template: Template, names: Names): readonly TemplateFile[] {
  const folder = join(dirname(ownManifest), 'examples', template.example);
  const copied = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !WRITTEN.includes(path.split(sep)[0] ?? ''))
    .map((path) => ({ path, text: renameIn(readFileSync(join(folder, path), 'utf8'), template, names) }));
  // npm leaves files of this name out of packages.
  return [...copied, { path: '.gitignore', text: [...WRITTEN, '*.tgz', ''].join('\n') }];
}

import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { isBuiltIn } from '../../extensions/built-in.ts';
import type { BuiltIns, ExtensionKind } from '../../extensions/extension.ts';
import { ownManifest, PACKAGE } from '../../extensions/modules/own-package.ts';
import { build } from '../../services/build.ts';
import { MisuseError } from '../command.ts';

/** An example that `koine new` copies with other names. */
interface Template {
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

/** The names of a new package. */
interface Names {
  /** As on the command line: the name in package.json. */
  readonly package: string;
  /** The package without its scope. */
  readonly folder: string;
  /** The name in the definition, for logs, metrics and `gateway.yaml`. */
  readonly extension: string;
}

/** The names that npm accepts, and that the definition of an extension can have as well. */
const NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?([a-z](?:[a-z0-9-]*[a-z0-9])?)$/;
/** https://docs.npmjs.com/cli/configuring-npm/package-json#name */
const MOST_CHARACTERS = 214;

/** @throws MisuseError where no package, or no extension, can have the name */
export function readNames(name: string, kind: ExtensionKind, builtIns: BuiltIns): Names {
  const [, folder] = NAME.exec(name) ?? [];
  if (folder === undefined || name.length > MOST_CHARACTERS)
    throw new MisuseError(
      `"${name}" cannot be the name of the package. Use lower-case letters, digits and dashes, and begin with a ` +
        `letter: team-models, @acme/team-models. At most ${MOST_CHARACTERS} characters.`,
    );
  if (isBuiltin(name) || name === PACKAGE)
    throw new MisuseError(`"${name}" is a module of ${name === PACKAGE ? 'the gateway' : 'Node'}. Use another name.`);
  const extension = folder.replace(/^koine-(?:plugin|provider)-(?=[a-z])/, '');
  if (isBuiltIn(kind, extension, builtIns))
    throw new MisuseError(`The gateway has a built-in ${kind} "${extension}". Use another name.`);
  return { package: name, folder, extension };
}

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

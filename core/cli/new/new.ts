import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { ownManifest } from '../../extensions/modules/own-package.ts';
import { describeOwnCommand, MisuseError, parseOptions, type Command } from '../command.ts';
import { describeWriteFailure, writeNewFile } from '../write-new-file.ts';
import { readNames, renderTemplate, templates, type TemplateFile } from './templates.ts';

const EXAMPLE = 'koine new plugin team-models';

const createFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw describeWriteFailure(folder, error);
  }
};

async function writeFiles(folder: string, files: readonly TemplateFile[]): Promise<void> {
  createFolder(folder);
  if (readdirSync(folder).length > 0)
    throw new MisuseError(`${folder} exists and is not empty, so nothing was written. Use another name, or remove it.`);
  for (const { path, text } of files) {
    createFolder(dirname(join(folder, path)));
    await writeNewFile(join(folder, path), text, false);
  }
}

/** The folder of this gateway, as short as it can be written for npm. */
const describeOwnFolder = (): string => {
  const folder = dirname(ownManifest);
  const path = relative(process.cwd(), folder);
  return path === '' ? '.' : path.startsWith('..') ? `'${folder}'` : `./${path}`;
};

/** A checkout has no built package before `npm run build`, so the package cannot be linked. */
const describeBuild = (): string =>
  extname(import.meta.filename) === '.ts' && !existsSync(join(dirname(ownManifest), 'dist/core/api/index.js'))
    ? `npm run build --prefix ${describeOwnFolder()} && `
    : '';

const describeNext = (folder: string): string => `Next:
  ${describeBuild()}npm install --prefix ${folder} --no-save ${describeOwnFolder()}
  npm test --prefix ${folder}
  ${describeOwnCommand()} serve --config ${folder}/gateway.yaml

The first one installs the compiler and the types of this gateway, for tests and builds only. The last one serves the
package: it needs nothing installed, and prints a key at its first start.`;

/** `koine new`. */
export const createPackage: Command['run'] = async ([kind = '', name = '', ...args], builtIns) => {
  const template = templates.get(kind);
  if (template === undefined)
    throw new MisuseError(`Name what to write: ${[...templates.keys()].join(', ')}. For example: ${EXAMPLE}`);
  if (name === '' || name.startsWith('-')) throw new MisuseError(`A name is missing. For example: ${EXAMPLE}`);
  parseOptions(args, {});
  const names = readNames(name, template.kind, builtIns);
  await writeFiles(names.folder, renderTemplate(template, names));
  console.log(`Wrote ${names.folder}: ${template.summary}.\n\n${describeNext(names.folder)}`);
  return 0;
};

import { isBuiltin } from 'node:module';
import { isBuiltIn } from '../../extensions/built-in.ts';
import type { BuiltIns, ExtensionKind } from '../../extensions/extension.ts';
import { PACKAGE } from '../../extensions/modules/own-package.ts';
import { MisuseError } from '../command.ts';

/** The names of a new package. */
export interface Names {
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

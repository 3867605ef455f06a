import { resolve } from 'node:path';
import { isBuiltIn } from '../extensions/built-in.ts';
import type { BuiltIns, ExtensionKind } from '../extensions/extension.ts';
import { findContent, hashContent } from '../extensions/integrity.ts';
import { resolveExtension } from '../extensions/resolve.ts';
import { MisuseError, parseOptions, type Command } from './command.ts';
import { hashOptions } from './options/requests.ts';

/**
 * The entry file of an extension.
 * @throws MisuseError for a built-in
 * @throws GatewayError `KOINE_EXTENSION_NOT_FOUND`
 */
const findEntry = (use: string, from: string, builtIns: BuiltIns): string => {
  const kinds: readonly ExtensionKind[] = ['plugin', 'provider'];
  const kind = kinds.find((each) => isBuiltIn(each, use, builtIns)) ?? 'plugin';
  const resolved = resolveExtension(kind, use, from, builtIns);
  if ('builtIn' in resolved)
    throw new MisuseError(`"${use}" is built in and part of the gateway itself: it has no hash to pin.`);
  return resolved.file;
};

/** `koine extensions hash`: prints the value for `integrity`. The extension is not run. */
export const extensions: Command['run'] = async ([verb, use, ...args], builtIns) => {
  if (verb !== 'hash' || use === undefined || use.startsWith('--'))
    throw new MisuseError('An extension is missing: koine extensions hash ./mine.ts.');
  const { files, config } = parseOptions(args, hashOptions);
  const from = resolve(config);
  const content = findContent(use, findEntry(use, from, builtIns), from);
  console.log(hashContent(content));
  if (files) for (const file of content.files) console.log(`  ${file}`);
  return 0;
};

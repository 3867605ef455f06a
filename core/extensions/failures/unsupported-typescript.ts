import type { ExtensionCode } from '../modules/code.ts';
import { findLocation } from './describe-throw.ts';

/** What Node's messages name, and what has the same effect. https://nodejs.org/api/typescript.html#typescript-features */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/enum/, "Instead of an enum, write a constant object: const Color = { Red: 'red' } as const"],
  [/parameter property/, 'Instead of a parameter property, declare a field and set it in the constructor'],
  [/namespace|module declaration/, 'Instead of a namespace, write a module of its own'],
  [/import equals/, "Instead of import x = require('x'), write import x from 'x'"],
  [/export equals|export assignment/i, 'Instead of export = x, write export default x'],
];

/** What to do, if an import failed because of TypeScript that Node cannot run. Node only removes types. */
export function describeUnsupported(thrown: unknown, code: ExtensionCode | undefined): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  if (thrown.code === 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING') {
    const file = /for "(?:file:\/\/)?(.+)"$/.exec(thrown.message)?.[1] ?? 'A file';
    return (
      `${file} is TypeScript in node_modules, which Node does not run. Compile the package to JavaScript before it ` +
      'is published, or name its file by a path outside of node_modules'
    );
  }
  if (thrown.code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') return undefined;
  const location = findLocation(thrown, code);
  const replacement = replacements.find(([pattern]) => pattern.test(thrown.message))?.[1];
  return [
    `${location === undefined ? '' : `${location.path}:${location.line}: `}${thrown.message.replace(/\.$/, '')}`,
    'Node only removes types and compiles nothing',
    ...(replacement === undefined ? [] : [replacement]),
    'Or compile the extension to JavaScript',
  ].join('. ');
}

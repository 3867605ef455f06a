import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isOfGateway, type ExtensionCode } from '../modules/code.ts';

export interface SourceLocation {
  readonly path: string;
  readonly line: number;
}

/** A position at the end of a line of a stack, as a path or a URL. */
const POSITION = /(?:^|\(|at )((?:file:\/\/)?(?:\/|[A-Za-z]:\\).+?)(?:\?version=\d+)?:(\d+)(?::\d+)?\)?$/gm;

const toPath = (text: string): string => (text.startsWith('file:') ? fileURLToPath(text) : text);

/** Node gives no position for a syntax error in an ES module of JavaScript. */
const findSyntaxError = (code: ExtensionCode | undefined): SourceLocation | undefined => {
  for (const [path, { content }] of code?.files ?? []) {
    if (!/\.[cm]?js$/.test(path)) continue;
    try {
      stripTypeScriptTypes(content.toString(), { sourceUrl: path });
    } catch (thrown) {
      return findLocation(thrown, code);
    }
  }
  return undefined;
};

/** Where an error was thrown: the first position in the own files of the extension, or else outside of the gateway. */
export function findLocation(thrown: unknown, code: ExtensionCode | undefined): SourceLocation | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const locations = [...(thrown.stack ?? '').matchAll(POSITION)]
    .map(([, path = '', line]) => ({ path: toPath(path), line: Number(line) }))
    .filter(({ path }) => !isOfGateway(path));
  return locations.find(({ path }) => code?.files.has(path) === true) ?? locations[0];
}

/** Its message, and where it was thrown: `the disk is full (/etc/koine/mine.ts:3)`. */
export function describeThrow(thrown: unknown, code: ExtensionCode | undefined): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const found = findLocation(thrown, code);
  const isMisplaced = thrown instanceof SyntaxError && (found === undefined || code?.files.has(found.path) !== true);
  const location = isMisplaced ? findSyntaxError(code) : found;
  return location === undefined ? message : `${message} (${location.path}:${location.line})`;
}

import { visit, type Document } from 'yaml';

/** Far more than any setting has, and far less than what reads it can follow. A section counts twice: itself and its key. */
const DEEPEST = 200;

export const TOO_DEEP = 'The file is nested too deeply.';

/** Where the file goes deeper than can be followed. */
export function findTooDeep(document: Document.Parsed): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Node: (_, { range }, around) => {
      if (around.length <= DEEPEST) return undefined;
      offset = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

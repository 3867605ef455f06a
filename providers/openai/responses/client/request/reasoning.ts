import {
  invalidRequest,
  type JsonObject,
  type Members,
  omitUndefined,
  type Reasoning,
} from '../../../../../core/index.ts';

const efforts: ReadonlySet<string> = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
const summaries: ReadonlySet<string> = new Set(['auto', 'concise', 'detailed']);
/** The word that "show me the reasoning" is written with; the others say more and are kept. */
const USUAL = 'auto';

const readWord = (reasoning: Members, name: string, known: ReadonlySet<string>): string | undefined => {
  const word = reasoning.string(name);
  if (word === undefined || known.has(word)) return word;
  throw invalidRequest(
    reasoning.at(name),
    `'${reasoning.at(name)}' must be one of ${[...known].map((candidate) => `'${candidate}'`).join(', ')}.`,
  );
};

/**
 * `reasoning`: an effort, and a summary for those who want to see it. `generate_summary` is the older name. Whatever else the object holds
 * stays as it is.
 */
export function decodeReasoning(body: Members): { readonly reasoning?: Reasoning; readonly extra: JsonObject } {
  const object = body.object('reasoning');
  if (object === undefined) return { extra: {} };
  const older = readWord(object, 'generate_summary', summaries);
  const summary = readWord(object, 'summary', summaries) ?? older;
  const reasoning: Reasoning = omitUndefined({
    effort: readWord(object, 'effort', efforts),
    show: summary === undefined ? undefined : true,
  });
  const others = { ...object.unread(), ...(summary === undefined || summary === USUAL ? {} : { summary }) };
  return {
    ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    extra: Object.keys(others).length === 0 ? {} : { reasoning: others },
  };
}

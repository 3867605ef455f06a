import { invalidRequest, type JsonObject, type Reasoning } from '../../../../../core/api/index.ts';
import { type Members, omitUndefined } from '../../../../../core/api/codec.ts';

const efforts: ReadonlySet<string> = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
const summaries: ReadonlySet<string> = new Set(['auto', 'concise', 'detailed']);
/** The summary that the canonical `show` stands for. The others are more specific and are kept in `extra`. */
const DEFAULT_SUMMARY = 'auto';

const readOneOf = (reasoning: Members, name: string, known: ReadonlySet<string>): string | undefined => {
  const value = reasoning.string(name);
  if (value === undefined || known.has(value)) return value;
  throw invalidRequest(
    reasoning.at(name),
    `'${reasoning.at(name)}' must be one of ${[...known].map((candidate) => `'${candidate}'`).join(', ')}.`,
  );
};

/** `reasoning`: effort and summary (`generate_summary` is its older name). Other members stay in `extra`. */
export function decodeReasoning(body: Members): { readonly reasoning?: Reasoning; readonly extra: JsonObject } {
  const object = body.object('reasoning');
  if (object === undefined) return { extra: {} };
  const older = readOneOf(object, 'generate_summary', summaries);
  const summary = readOneOf(object, 'summary', summaries) ?? older;
  const reasoning: Reasoning = omitUndefined({
    effort: readOneOf(object, 'effort', efforts),
    show: summary === undefined ? undefined : true,
  });
  const others = { ...object.unread(), ...(summary === undefined || summary === DEFAULT_SUMMARY ? {} : { summary }) };
  return {
    ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    extra: Object.keys(others).length === 0 ? {} : { reasoning: others },
  };
}

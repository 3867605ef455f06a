import type { JsonObject, Reasoning } from '../../../../../core/api/index.ts';
import { type Members, omitUndefined } from '../../../../../core/api/codec.ts';
import { efforts } from '../../../chat-completions/client/request/reasoning.ts';

const summaries = ['auto', 'concise', 'detailed'] as const;
/** The summary that the canonical `show` stands for. The others are more specific and are kept in `extra`. */
const DEFAULT_SUMMARY = 'auto';

/** `reasoning`: effort and summary (`generate_summary` is its older name). Other members stay in `extra`. */
export function decodeReasoning(body: Members): { readonly reasoning?: Reasoning; readonly extra: JsonObject } {
  const object = body.object('reasoning');
  if (object === undefined) return { extra: {} };
  const older = object.oneOf('generate_summary', summaries);
  const summary = object.oneOf('summary', summaries) ?? older;
  const reasoning: Reasoning = omitUndefined({
    effort: object.oneOf('effort', efforts),
    show: summary === undefined ? undefined : true,
  });
  const others = { ...object.unread(), ...(summary === undefined || summary === DEFAULT_SUMMARY ? {} : { summary }) };
  return {
    ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    extra: Object.keys(others).length === 0 ? {} : { reasoning: others },
  };
}

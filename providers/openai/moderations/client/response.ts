import type { JsonObject, ModerateResponse, Moderation } from '../../../../core/api/index.ts';
import { omitUndefined, type WriteContext } from '../../../../core/api/codec.ts';
import { UNNAMED } from '../../chat-completions/client/response/response.ts';

const encodeResult = ({ flagged, categories, scores, inputTypes }: Moderation): JsonObject =>
  omitUndefined({ flagged, categories, category_scores: scores, category_applied_input_types: inputTypes });

/** https://platform.openai.com/docs/api-reference/moderations/object */
export const encodeResponse = (
  { id, model, results }: ModerateResponse,
  { newId }: WriteContext<'moderate'>,
): JsonObject => ({ id: id ?? newId('modr-'), model: model ?? UNNAMED, results: results.map(encodeResult) });

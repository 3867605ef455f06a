import type { JsonObject, ModerateResponse, Moderation } from '../../../../core/api/index.ts';
import { isObject, malformedBody, omitUndefined, readObject, readText } from '../../../../core/api/codec.ts';
import { requireBody } from '../../chat-completions/upstream/response/error.ts';
import { readUsage } from '../../embeddings/usage.ts';

const select = <T>(value: unknown, is: (member: unknown) => member is T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(readObject(value)).filter((entry): entry is [string, T] => is(entry[1])));
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isScore = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((word) => typeof word === 'string');

/** Not every vendor says whether any category applies. */
export const isFlagged = ({ flagged, categories }: Readonly<JsonObject>): boolean =>
  isFlag(flagged) ? flagged : Object.values(readObject(categories)).includes(true);

const decodeResult = (result: Readonly<JsonObject>): Moderation => {
  const { categories, category_scores: scores, category_applied_input_types: types } = result;
  return omitUndefined({
    flagged: isFlagged(result),
    categories: select(categories, isFlag),
    scores: select(scores, isScore),
    inputTypes: isObject(types) ? select(types, isWords) : undefined,
  });
};

/** The results of a response, not decoded. @throws GatewayError the error inside a 200, or `upstream_bad_response` */
export function readResults(body: unknown): {
  readonly response: JsonObject;
  readonly results: readonly JsonObject[];
} {
  const response = requireBody(body);
  const { results } = response;
  const isResult = (value: unknown): value is JsonObject => isObject(value) && isObject(value['categories']);
  if (!Array.isArray(results) || results.length === 0 || !results.every(isResult))
    throw malformedBody('has no results');
  return { response, results };
}

/** @throws GatewayError the error inside a 200, or `upstream_bad_response` */
export function decodeResponse(body: unknown): ModerateResponse {
  const { response, results } = readResults(body);
  return omitUndefined({
    id: readText(response['id']) || undefined,
    model: readText(response['model']) || undefined,
    results: results.map(decodeResult),
    usage: readUsage(response['usage']),
  });
}

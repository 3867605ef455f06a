import type { JsonObject, WireName } from '../../../core/api/index.ts';
import { type ModelEntry, type ModelList, omitUndefined } from '../../../core/api/codec.ts';

/** https://ai.google.dev/api/models#Model */
const methodsOf: readonly (readonly [wire: WireName, methods: readonly string[]])[] = [
  ['generate-content', ['generateContent', 'streamGenerateContent', 'countTokens']],
  ['embed-content', ['embedContent', 'batchEmbedContents']],
];

const encodeModel = ({ id, wires, capabilities: { contextTokens, maxOutput, thinking } }: ModelEntry): JsonObject =>
  omitUndefined({
    name: `models/${id}`,
    displayName: id,
    inputTokenLimit: contextTokens,
    outputTokenLimit: maxOutput,
    supportedGenerationMethods: methodsOf.flatMap(([wire, methods]) => (wires.includes(wire) ? methods : [])),
    thinking: thinking === undefined ? undefined : thinking !== 'none',
  });

/** The list is on one page unless the client sets a page size. */
const readSize = (pageSize: string | undefined): number => {
  const size = Number(pageSize);
  return Number.isInteger(size) && size > 0 ? size : Number.POSITIVE_INFINITY;
};

/**
 * `GET /v1beta/models`, and `/v1/models` for clients of this wire. The page token is the id of the last model of the
 * page before: changes of the list in between skip no model, and an id that was removed selects the whole list.
 * https://ai.google.dev/api/models#method:-models.list
 */
export const modelList: ModelList = {
  recognises: ({ path, headers, query }) =>
    path.startsWith('/v1beta') ||
    ['x-goog-api-key', 'x-goog-api-client', 'x-alt-api-key'].some((name) => name in headers) ||
    ['key', 'pageToken'].some((name) => name in query),
  list: (models, { pageSize, pageToken }) => {
    const extra = models.slice(models.findIndex(({ id }) => id === pageToken) + 1);
    const page = extra.slice(0, readSize(pageSize));
    const last = page.length < extra.length ? page.at(-1) : undefined;
    return omitUndefined({ models: page.map(encodeModel), nextPageToken: last === undefined ? undefined : last.id });
  },
  one: encodeModel,
};

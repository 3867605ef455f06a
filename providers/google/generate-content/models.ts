import { type JsonObject, type ModelEntry, type ModelList, omitUndefined, type WireName } from '../../../core/index.ts';

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

/** mission.md leaves the list whole; a page is what a client asks for. */
const readSize = (pageSize: string | undefined): number => {
  const size = Number(pageSize);
  return Number.isInteger(size) && size > 0 ? size : Number.POSITIVE_INFINITY;
};

/**
 * `GET /v1beta/models`, and `/v1/models` for clients of this wire. The token of a page is the id of the model before it: a list that changes in
 * between loses nobody, and an id that has gone leaves the list whole.
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

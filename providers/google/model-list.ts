import type { OfferPage, OfferedModel, Operation } from '../../core/api/index.ts';
import { lookUp, omitUndefined, readList, readObject, readObjects, readText } from '../../core/api/codec.ts';

/** By the methods of a model. */
const operations: Readonly<Record<string, Operation>> = {
  generateContent: 'generate',
  countTokens: 'count-tokens',
  embedContent: 'embed',
  predict: 'image',
};

const readTokens = (value: unknown): number | undefined => (typeof value === 'number' && value > 0 ? value : undefined);

/** The largest page that the vendor has. */
export const listQuery = (after: string | undefined): Readonly<Record<string, string>> => ({
  pageSize: '1000',
  ...(after === undefined ? {} : { pageToken: after }),
});

/** https://ai.google.dev/api/models#method:-models.list */
export function readModelPage(body: unknown): OfferPage {
  const { models, nextPageToken: next } = readObject(body);
  return omitUndefined({
    models: readObjects(models).map((model): OfferedModel =>
      omitUndefined({
        name: readText(model['name']).replace(/^models\//, ''),
        operations: readList(model['supportedGenerationMethods']).flatMap(
          (method) => lookUp(operations, readText(method)) ?? [],
        ),
        contextTokens: readTokens(model['inputTokenLimit']),
        maxOutput: readTokens(model['outputTokenLimit']),
      }),
    ),
    next: readText(next) === '' ? undefined : readText(next),
  });
}

import type { OfferPage, OfferedModel, Operation } from '../../core/api/index.ts';
import { lookUp, omitUndefined, readList, readObject, readObjects, readText } from '../../core/api/codec.ts';

/** By the endpoints of a model. */
const operations: Readonly<Record<string, Operation>> = { chat: 'generate', embed: 'embed', rerank: 'rerank' };

/** The largest page that the vendor has. */
export const listQuery = (after: string | undefined): Readonly<Record<string, string>> => ({
  page_size: '1000',
  ...(after === undefined ? {} : { page_token: after }),
});

/** https://docs.cohere.com/reference/list-models */
export function readModelPage(body: unknown): OfferPage {
  const { models, next_page_token: next } = readObject(body);
  return omitUndefined({
    models: readObjects(models)
      .filter((model) => model['is_deprecated'] !== true)
      .map((model): OfferedModel => {
        const context = model['context_length'];
        return omitUndefined({
          name: readText(model['name']),
          operations: readList(model['endpoints']).flatMap((endpoint) => lookUp(operations, readText(endpoint)) ?? []),
          contextTokens: typeof context === 'number' ? context : undefined,
        });
      }),
    next: readText(next) === '' ? undefined : readText(next),
  });
}

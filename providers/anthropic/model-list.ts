import type { OfferPage, OfferedModel } from '../../core/api/index.ts';
import { omitUndefined, readObject, readObjects, readText } from '../../core/api/codec.ts';

const readTokens = (value: unknown): number | undefined => (typeof value === 'number' && value > 0 ? value : undefined);

/** The date of an RFC 3339 time. */
const readDate = (value: unknown): string | undefined => /^\d{4}-\d{2}-\d{2}/.exec(readText(value))?.[0];

/** The largest page that the vendor has. */
export const listQuery = (after: string | undefined): Readonly<Record<string, string>> => ({
  limit: '1000',
  ...(after === undefined ? {} : { after_id: after }),
});

/** https://platform.claude.com/docs/en/api/models/list */
export function readModelPage(body: unknown): OfferPage {
  const { data, has_more: hasMore, last_id: last } = readObject(body);
  const models = readObjects(data).map((model): OfferedModel =>
    omitUndefined({
      name: readText(model['id']),
      operations: ['generate', 'count-tokens'] as const,
      contextTokens: readTokens(model['max_input_tokens']),
      maxOutput: readTokens(model['max_tokens']),
      ends: readDate(model['retires_at']),
    }),
  );
  return omitUndefined({ models, next: hasMore === true && last !== '' ? readText(last) : undefined });
}

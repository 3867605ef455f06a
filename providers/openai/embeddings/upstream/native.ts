import type { JsonObject } from '../../../../core/api/index.ts';
import { type BodyEdit, isObject, readList, type UpstreamSide } from '../../../../core/api/codec.ts';

import { formatBase64, parseVector } from '../vector.ts';
import { createTap } from './tap.ts';

const hasNumbers = (item: unknown): item is JsonObject => isObject(item) && Array.isArray(item['embedding']);

/**
 * Converts numbers to base64. Some servers always send numbers, which clients that requested base64 cannot read.
 * Vectors that are base64 already stay as they came.
 */
const addBase64 = ({ data }: Readonly<JsonObject>): readonly BodyEdit[] => {
  const items = readList(data);
  if (!items.some(hasNumbers)) return [];
  return [
    {
      member: 'data',
      value: items.map((item) =>
        hasNumbers(item) ? { ...item, embedding: formatBase64(parseVector(item['embedding'])) } : item,
      ),
    },
  ];
};

export const native: UpstreamSide<'embed'>['native'] = (_inbound, { encoding }, profile) => ({
  edits: [{ member: 'model', value: profile.model }],
  headers: {},
  tap: () => createTap(profile),
  ...(encoding === 'base64' ? { addToResponse: addBase64 } : {}),
});

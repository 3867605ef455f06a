import { defineSpelling } from '../../../../core/api/codec.ts';

/**
 * Members that limit, price or route a request. The vendor accepts two spellings of each:
 * https://protobuf.dev/programming-guides/json/
 */
export const spelling = defineSpelling(
  { model: true, content: true, requests: true, outputDimensionality: true },
  'ignored',
);

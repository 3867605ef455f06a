import type { JsonObject } from '../../canonical/wire.ts';
import type { DraftPrice } from '../draft.ts';
import { section, setting } from './section.ts';

const dollars = (description: string): JsonObject => setting(description, { type: 'number', minimum: 0, maximum: 1_000_000 });

export const priceSchema: JsonObject = section(
  'What tokens cost, in USD per million.',
  {
    input: dollars('Input tokens.'),
    output: dollars('Output tokens, reasoning included.'),
    cacheRead: dollars('Input tokens read from the prompt cache. Left out: as input.'),
    cacheWrite5m: dollars('Input tokens written to the prompt cache for 5 minutes. Left out: as input.'),
    cacheWrite1h: dollars('Input tokens written to the prompt cache for an hour. Left out: as for 5 minutes.'),
  } satisfies Record<keyof DraftPrice, JsonObject>,
  ['input', 'output'],
);

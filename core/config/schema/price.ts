import type { JsonObject } from '../../canonical/wire.ts';
import type { WrittenPrice, WrittenRateCard, WrittenRates } from '../../contracts/price.ts';
import { section, setting } from './section.ts';

const dollars = (description: string): JsonObject =>
  setting(description, { type: 'number', minimum: 0, maximum: 1_000_000 });

const rates = {
  input: dollars('Input tokens.'),
  output: dollars('Output tokens, reasoning included.'),
  cacheRead: dollars('Input tokens read from the prompt cache. Left out: as input.'),
  cacheWrite5m: dollars('Input tokens written to the prompt cache for 5 minutes. Left out: as input.'),
  cacheWrite1h: dollars('Input tokens written to the prompt cache for an hour. Left out: as for 5 minutes.'),
  reasoning: dollars('Reasoning tokens. Left out: as output.'),
  inputAudio: dollars('Audio in the input. Left out: as input.'),
  inputImage: dollars('Images in the input. Left out: as input.'),
  outputAudio: dollars('Audio in the output. Left out: as output.'),
  outputImage: dollars('Images in the output. Left out: as output.'),
} satisfies Record<keyof WrittenRates, JsonObject>;

const above = setting('Input tokens in all; a call with more is priced by these rates as a whole.', {
  type: 'integer',
  minimum: 1,
});

const card = {
  ...rates,
  longContext: setting('Other rates for long prompts. Left out: none.', {
    type: 'array',
    items: section('Rates of prompts above a length.', { above, ...rates }, ['above', 'input', 'output']),
  }),
} satisfies Record<keyof WrittenRateCard, JsonObject>;

export const priceSchema: JsonObject = section(
  'What tokens cost, in USD per million.',
  {
    ...card,
    request: dollars('USD for each call that was answered, beside its tokens. Left out: nothing.'),
    tiers: setting(
      "Other rates by the service tier that served a call, in the vendor's word (flex, priority, batch). " +
        'Left out: none.',
      {
        type: 'object',
        additionalProperties: section('Rates of a service tier.', card, ['input', 'output']),
      },
    ),
  } satisfies Record<keyof WrittenPrice, JsonObject>,
  ['input', 'output'],
);

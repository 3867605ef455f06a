import type { JsonObject } from '../../canonical/wire.ts';
import type { WrittenPrice, WrittenRateCard, WrittenRates } from '../../contracts/price.ts';
import { section, setting } from './section.ts';

const dollars = (description: string): JsonObject =>
  setting(description, { type: 'number', minimum: 0, maximum: 1_000_000 });

const rates = {
  input: dollars('Input tokens.'),
  output: dollars('Output tokens, including reasoning.'),
  cacheRead: dollars('Input tokens read from the prompt cache. Default: the rate of input.'),
  cacheWrite5m: dollars('Input tokens written to the prompt cache for 5 minutes. Default: the rate of input.'),
  cacheWrite1h: dollars('Input tokens written to the prompt cache for an hour. Default: the rate of cacheWrite5m.'),
  reasoning: dollars('Reasoning tokens. Default: the rate of output.'),
  inputAudio: dollars('Audio in the input. Default: the rate of input.'),
  inputImage: dollars('Images in the input. Default: the rate of input.'),
  outputAudio: dollars('Audio in the output. Default: the rate of output.'),
  outputImage: dollars('Images in the output. Default: the rate of output.'),
} satisfies Record<keyof WrittenRates, JsonObject>;

const above = setting('A number of input tokens. A call with more is priced at these rates as a whole.', {
  type: 'integer',
  minimum: 1,
});

const card = {
  ...rates,
  longContext: setting('Other rates for long prompts. Default: none.', {
    type: 'array',
    items: section('Rates for prompts above a length.', { above, ...rates }, ['above', 'input', 'output']),
  }),
} satisfies Record<keyof WrittenRateCard, JsonObject>;

export const priceSchema: JsonObject = section(
  'Prices in USD per million tokens.',
  {
    ...card,
    request: dollars('USD per answered call, in addition to its tokens. Default: 0.'),
    tiers: setting(
      'Other rates by the service tier that served a call, under the names of the vendor (flex, priority, ' +
        'batch). Default: none.' +
        'Default: none.',
      {
        type: 'object',
        additionalProperties: section('Rates of a service tier.', card, ['input', 'output']),
      },
    ),
  } satisfies Record<keyof WrittenPrice, JsonObject>,
  ['input', 'output'],
);

import type { UsageUnit } from '../../canonical/usage.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { WrittenPrice, WrittenRateCard, WrittenRates, WrittenTieredCard } from '../../contracts/price.ts';
import { EXPIRY_PATTERN } from '../units/expiry.ts';
import { section, setting } from './section.ts';

const dollars = (description: string): JsonObject =>
  setting(description, { type: 'number', minimum: 0, maximum: 1_000_000 });

const rates = {
  input: dollars('Input tokens.'),
  output: dollars('Output tokens, including reasoning.'),
  cacheRead: dollars('Input tokens read from the prompt cache. Default: the rate of input.'),
  cacheWrite5m: dollars('Input tokens written to the prompt cache for 5 minutes. Default: the rate of input.'),
  cacheWrite1h: dollars('Input tokens written to the prompt cache for an hour. Default: the rate of cacheWrite5m.'),
  cacheWrite12h: dollars('Input tokens written to the prompt cache for 12 hours. Default: the rate of cacheWrite1h.'),
  reasoning: dollars('Reasoning tokens. Default: the rate of output.'),
  inputAudio: dollars('Audio in the input. Default: the rate of input.'),
  inputImage: dollars('Images in the input. Default: the rate of input.'),
  inputVideo: dollars('Video in the input. Default: the rate of input.'),
  cacheReadAudio: dollars('Audio read from the prompt cache. Default: the rate of cacheRead.'),
  cacheReadImage: dollars('Images read from the prompt cache. Default: the rate of cacheRead.'),
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
    items: { $ref: '#/definitions/longRates' },
  }),
} satisfies Record<keyof WrittenRateCard, JsonObject>;

const factorOf = (description: string): JsonObject =>
  setting(description, { type: 'number', minimum: 0.000_001, maximum: 1_000 });

/** @param of what the factor multiplies */
export const priceFactor = (of: string): JsonObject =>
  factorOf(`Multiplies ${of}, shipped or configured: 0.9 is a discount of 10 %. Default: 1.`);

/** Uses `if`, so that only the errors of one of the two are reported. */
const factorOrRates = (description: string, properties: JsonObject): JsonObject => ({
  description,
  if: { type: 'object' },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: section('Rates of its own.', properties, ['input', 'output']),
  else: factorOf('A factor of the token rates.'),
});

const tieredCard = {
  ...card,
  tiers: setting(
    'Other rates by the service tier that served a call, under the names of the vendor (flex, priority, batch): ' +
      'rates of their own, or a factor of the token rates. Default: none.',
    { type: 'object', additionalProperties: { $ref: '#/definitions/tierRates' } },
  ),
} satisfies Record<keyof WrittenTieredCard, JsonObject>;

const units = section('USD for each unit that the vendor bills besides tokens. Default: none.', {
  webSearches: dollars('Each search of the web. Default: 0.'),
  webFetches: dollars('Each page of the web that was fetched. Default: 0.'),
  images: setting('Each generated image, or images by size and quality. Default: 0.', {
    $ref: '#/definitions/imagePrice',
  }),
  seconds: dollars('Each second of audio or video. Default: 0.'),
  searches: dollars('Each search of a request to rerank. Default: 0.'),
  characters: dollars('Each character of text that is spoken. Default: 0.'),
} satisfies Record<UsageUnit, JsonObject>);

/** One figure, or figures by name. Uses `if`, so that only the errors of one of the two are reported. */
const dollarsOrNamed = (description: string, named: JsonObject): JsonObject => ({
  description,
  if: { type: 'object' },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { type: 'object', minProperties: 1, ...named },
  else: dollars(description),
});

/** Words for qualities, which must not be mistaken for sizes, and the word for what the vendor chooses. */
const qualities = ['low', 'medium', 'high', 'standard', 'hd'];
const AUTO = 'auto';

const date = (description: string): JsonObject =>
  setting(description, { type: 'string', pattern: EXPIRY_PATTERN, examples: ['2027-01-01'] });

const onePrice = section(
  'Prices in USD per million tokens.',
  {
    ...tieredCard,
    request: dollars('USD per answered call, in addition to its tokens. Default: 0.'),
    units,
    regions: setting(
      'Other rates by the region that computed a call, under the names of the vendor (us): rates of their own, or a ' +
        'factor of the token rates. Default: none.',
      { type: 'object', additionalProperties: { $ref: '#/definitions/regionRates' } },
    ),
    from: date('The date from which the price is valid, in UTC. Default: no limit.'),
    until: date('The date from which the price is no longer valid, in UTC. Default: no limit.'),
  } satisfies Record<keyof WrittenPrice, JsonObject>,
  ['input', 'output'],
);

/** The definitions of a price: members that occur in several places are references. */
export const priceDefinitions: JsonObject = {
  price: {
    description:
      'A price, or a list of prices with dates. Of those that are valid, the one with the latest "from" applies.',
    if: { type: 'array' },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { type: 'array', items: { $ref: '#/definitions/onePrice' }, minItems: 1 },
    else: { $ref: '#/definitions/onePrice' },
  },
  onePrice,
  imagePrice: dollarsOrNamed(
    'Each generated image: one figure, or figures by size. "default" is for sizes that are not listed.',
    {
      propertyNames: { not: { enum: [...qualities, AUTO] }, examples: ['1024x1024', 'default'] },
      additionalProperties: { $ref: '#/definitions/imageSizePrice' },
    },
  ),
  imageSizePrice: dollarsOrNamed(
    'Each image of a size: one figure, or figures by quality. "default" is for qualities that are not listed.',
    {
      propertyNames: { not: { enum: [AUTO] }, examples: ['high', 'default'] },
      additionalProperties: dollars('Each generated image of a size and a quality.'),
    },
  ),
  longRates: section('Rates for prompts above a length.', { above, ...rates }, ['above', 'input', 'output']),
  tierRates: factorOrRates('A factor of the token rates, or rates of a service tier.', card),
  regionRates: factorOrRates('A factor of the token rates, or rates of a region.', tieredCard),
};

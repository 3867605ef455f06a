import { expect } from 'chai';
import { createTestServices } from '../../core/testing/services.ts';
import type { Headers, ProviderDefinition, UpstreamLimit } from '../../core/api/index.ts';
import anthropic from '../../providers/anthropic/index.ts';
import openai from '../../providers/openai/index.ts';
import openaiCompatible from '../../providers/openai-compatible/index.ts';

const readAt = async <Options>(
  { create }: ProviderDefinition<Options>,
  options: Options,
  headers: Headers,
): Promise<readonly (readonly UpstreamLimit[])[]> =>
  (await create(options, createTestServices()))
    .endpoint('some-model')
    .wires.map(({ readLimits }) => readLimits?.(headers) ?? []);

const openaiHeaders = {
  'x-ratelimit-limit-requests': '500',
  'x-ratelimit-remaining-requests': '499',
  'x-ratelimit-reset-requests': '120ms',
  'x-ratelimit-limit-tokens': '30000',
  'x-ratelimit-remaining-tokens': '29988',
};
const openaiLimits = [
  { unit: 'requests', limit: 500, remaining: 499 },
  { unit: 'tokens', limit: 30_000, remaining: 29_988 },
];

/** On every wire and for every operation of the provider. */
describe('remaining limits in provider responses', () => {
  it('reads rate limits from the headers of OpenAI', async () => {
    const read = await readAt(openai, { apiKey: 'k' }, openaiHeaders);
    expect(read)
      .to.have.length(12)
      .and.deep.equal(read.map(() => openaiLimits));
  });

  it('reads rate limits from the headers of compatible servers', async () => {
    const read = await readAt(openaiCompatible, { baseUrl: 'http://127.0.0.1:1/v1' }, openaiHeaders);
    expect(read)
      .to.have.length(2)
      .and.deep.equal(read.map(() => openaiLimits));
  });

  it('reads rate limits from the headers of Anthropic', async () => {
    const of = (name: string, limit: string, remaining: string): Headers => ({
      [`anthropic-ratelimit-${name}-limit`]: limit,
      [`anthropic-ratelimit-${name}-remaining`]: remaining,
    });
    const read = await readAt(
      anthropic,
      { apiKey: 'k' },
      {
        ...of('requests', '50', '49'),
        ...of('tokens', '90', '80'),
        ...of('input-tokens', '60', '50'),
        ...of('output-tokens', '30', '20'),
      },
    );
    const limits = [
      { unit: 'requests', limit: 50, remaining: 49 },
      { unit: 'tokens', limit: 90, remaining: 80 },
      { unit: 'input_tokens', limit: 60, remaining: 50 },
      { unit: 'output_tokens', limit: 30, remaining: 20 },
    ];
    expect(read)
      .to.have.length(2)
      .and.deep.equal(read.map(() => limits));
  });
});

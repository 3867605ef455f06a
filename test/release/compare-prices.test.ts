import { expect } from 'chai';
import { compareTables, readLiteLlm, readModelsDev } from '../../release/compare-prices.ts';

const ours = (figures: Record<string, number>) => new Map([['openai/m', figures]]);

describe('prices held against the tables of others', () => {
  it('reads tokens, lifetimes, long prompts, tiers, searches and regions of LiteLLM', () => {
    const table = readLiteLlm({
      'gemini/m': {
        litellm_provider: 'gemini',
        input_cost_per_token: 2e-6,
        input_cost_per_token_above_200k_tokens_flex: 1e-6,
        cache_creation_input_token_cost_above_12hr: 5e-6,
        cache_creation_input_token_cost_above_1hr: 4e-6,
        output_cost_per_token_priority: 2e-5,
        output_cost_per_token_batches: 9,
        cache_read_input_audio_token_cost: 1e-7,
        search_context_cost_per_query: { search_context_size_low: 0.014 },
        provider_specific_entry: { us: 1.1, fast: 2 },
        input_cost_per_image: 9,
      },
      'azure/m': { litellm_provider: 'azure', input_cost_per_token: 1 },
    });
    expect([...table]).to.deep.equal([
      [
        'google/m',
        {
          input: 2,
          '>200000 flex input': 1,
          cacheWrite12h: 5,
          cacheWrite1h: 4,
          'priority output': 20,
          cacheReadAudio: 0.1,
          webSearches: 0.014,
          'region us': 1.1,
          'fast input': 4,
        },
      ],
    ]);
  });

  it('reads the file of models.dev, and the latest price of its history', () => {
    const figures = { input: 2, output: 8, cacheRead: 0.5, '>272000 input': 4 };
    const cost = { input: 2, output: 8, cache_read: 0.5 };
    const file = { openai: { models: { m: { cost: { ...cost, tiers: [{ input: 4, tier: { size: 272_000 } }] } } } } };
    const rates = { ...cost, tiers: [{ input: 4, above: 272_000 }] };
    const history = { prices: { openai: { m: { standard: [{ rates: { input: 1 } }, { rates }] } } } };
    for (const data of [file, history]) expect([...readModelsDev(data)]).to.deep.equal([['openai/m', figures]]);
  });

  it('lists figures that differ by more than one percent, also from what a missing figure costs', () => {
    const table = ours({ input: 2, output: 8, cacheRead: 0.5, webSearches: 0.025, 'priority input': 4, inputAudio: 2 });
    expect(compareTables(ours({ input: 2.01, output: 8.1, cacheRead: 0.5 }), table)).to.deep.equal([
      'openai/m  output: 8.1 here, 8 there',
      'openai/m  webSearches: 0 here (no figure of its own), 0.025 there',
      'openai/m  priority input: 2.01 here (no figure of its own), 4 there',
    ]);
  });
});

import { expect } from 'chai';
import { compareTables, listMissing } from '../../tools/release/compare-prices.ts';
import { readLiteLlm, readModelsDev, readShipped, type Figures, type Table } from '../../tools/release/price-tables.ts';

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
      'made-up/m': { litellm_provider: 'made-up', input_cost_per_token: 1 },
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

  it('reads prices by length, and names of other providers, of LiteLLM', () => {
    const step = (range: readonly number[], input: number) => ({ range, input_cost_per_token: input });
    const table = readLiteLlm({
      'dashscope/m': {
        litellm_provider: 'dashscope',
        tiered_pricing: [step([0, 32e3], 1e-6), step([32e3, 1e6], 2e-6)],
      },
      'azure/m': { litellm_provider: 'azure', input_cost_per_token: 1e-6 },
      'vertex_ai/m': { litellm_provider: 'vertex_ai-anthropic_models', input_cost_per_token: 1e-6 },
      'fireworks_ai/accounts/fireworks/models/m': { litellm_provider: 'fireworks_ai', input_cost_per_token: 1e-6 },
    });
    expect([...table]).to.deep.equal([
      ['alibaba/m', { 'input': 1, '>32000 input': 2 }],
      ['azure-openai/m', { input: 1 }],
      ['vertex/m', { input: 1 }],
      ['fireworks/accounts/fireworks/models/m', { input: 1 }],
    ]);
  });

  it('has the shipped prices of providers and presets, with lengths in whole thousands', async () => {
    const shipped = await readShipped(Date.parse('2026-11-27'));
    expect(shipped.get('xai/grok-4.7')).to.include({ 'input': 2, '>200000 input': 4 });
    expect(shipped.get('azure-openai/gpt-6-sol')).to.include({ 'flex input': 1, '>272000 flex output': 7.5 });
    expect(shipped.get('fireworks/accounts/fireworks/models/kimi-k3')).to.include({ 'priority output': 18.75 });
    expect(shipped.get('vertex/claude-sonnet-4-5@20250929')).to.include({ 'input': 3, '>200000 output': 22.5 });
    expect(shipped.get('anthropic/claude-sonnet-4-5')).to.not.have.property('>200000 output');
    expect(shipped.get('google/gemini-flash-latest')).to.deep.equal(shipped.get('google/gemini-3.8-flash'));
    expect([shipped.has('google/gemma-4-31b-it'), shipped.has('vertex/gemma-4-31b-it')]).to.deep.equal([true, false]);
  });

  it('lists models without a shipped price by vendor, with what tables agree on', () => {
    const one: Table = new Map<string, Figures>([
      ['openai/m', { input: 2, output: 8 }],
      ['openai/new', { input: 2, output: 8 }],
      ['xai/alone', { input: 1, output: 2 }],
      ['xai/free', { input: 0 }],
    ]);
    const other: Table = new Map<string, Figures>([
      ['openai/new', { input: 2.01, output: 8 }],
      ['xai/other', { input: 1 }],
      ['xai/disputed', { input: 1, output: 2 }],
    ]);
    const third = new Map([['xai/disputed', { input: 1, output: 3 }]]);
    expect([...listMissing(ours({ input: 2 }), [one, other, third])]).to.deep.equal([
      ['openai', ['new (2, 8)']],
      ['xai', ['alone', 'other', 'disputed']],
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

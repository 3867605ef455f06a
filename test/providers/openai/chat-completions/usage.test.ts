import { expect } from 'chai';
import * as fc from 'fast-check';
import { inputTotal, type Usage } from '../../../../core/api/index.ts';
import {
  correctUsage,
  createUsageReader,
  readUsage,
  usageNames,
  writeUsage,
} from '../../../../providers/openai/chat-completions/usage.ts';

const figures = (value: unknown, tier?: string) => {
  const { raw: _raw, ...usage } = readUsage(value, tier) ?? ({} as Usage);
  return usage;
};
const usage = (parts: Partial<Usage>) => ({
  inputUncached: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  source: 'provider',
  ...parts,
});

describe('chat-completions: usage', () => {
  it('reads disjoint counts from totals that include them', () => {
    const value = {
      prompt_tokens: 4_512,
      completion_tokens: 90,
      total_tokens: 4_602,
      prompt_tokens_details: { cached_tokens: 4_000, cache_write_tokens: 500 },
      completion_tokens_details: { reasoning_tokens: 60 },
    };
    expect(figures(value, 'flex')).to.deep.equal(
      usage({
        inputUncached: 12,
        cacheRead: 4_000,
        cacheWrite5m: 500,
        output: 90,
        reasoning: 60,
        tier: 'flex',
      } as Partial<Usage>),
    );
    expect(readUsage(value)?.raw).to.equal(value);
  });

  it('E36: counts no more cached than prompt tokens, unless total_tokens counts them beside the prompt', () => {
    const details = { prompt_tokens_details: { cached_tokens: 120 } };
    expect(figures({ prompt_tokens: 100, completion_tokens: 1, ...details })).to.deep.equal(
      usage({ cacheRead: 100, output: 1 }),
    );
    // Grok at Azure
    expect(figures({ prompt_tokens: 100, completion_tokens: 1, total_tokens: 101, ...details })).to.deep.equal(
      usage({ cacheRead: 100, output: 1 }),
    );
    expect(figures({ prompt_tokens: 100, completion_tokens: 1, total_tokens: 221, ...details })).to.deep.equal(
      usage({ inputUncached: 100, cacheRead: 120, output: 1 }),
    );
  });

  it('reads cached tokens from the members of other vendors', () => {
    expect(
      figures({ prompt_tokens: 30, completion_tokens: 1, prompt_cache_hit_tokens: 20, prompt_cache_miss_tokens: 10 }),
    ).to.include({ inputUncached: 10, cacheRead: 20 });
    expect(figures({ prompt_tokens: 30, completion_tokens: 1, num_cached_tokens: 20 })).to.include({ cacheRead: 20 });
    expect(figures({ prompt_tokens: 30, completion_tokens: 1, cached_tokens: 20 })).to.include({ cacheRead: 20 });
    expect(figures({ prompt_tokens: 30, completion_tokens: 1, prompt_tokens_details: null })).to.include({
      cacheRead: 0,
    });
  });

  it('adds up a prompt that DeepSeek reports by its cache only', () => {
    expect(figures({ completion_tokens: 1, prompt_cache_hit_tokens: 20, prompt_cache_miss_tokens: 10 })).to.include({
      inputUncached: 10,
      cacheRead: 20,
    });
  });

  it('reads cache writes under the names of other vendors, and by their lifetime', () => {
    const total = { prompt_tokens: 100, completion_tokens: 1 };
    expect(figures({ ...total, cache_creation_input_tokens: 60 })).to.include({ inputUncached: 40, cacheWrite5m: 60 });
    const details = {
      cache_write_tokens: 60,
      cache_write_tokens_details: { ttl_30m_tokens: 40, ttl_12h_tokens: 20 },
    };
    const long = figures({ ...total, prompt_tokens_details: details });
    expect(long).to.include({ inputUncached: 40, cacheWrite5m: 40, cacheWrite12h: 20 });
    expect(writeUsage(long as Usage))
      .to.have.property('prompt_tokens_details')
      .that.includes({ cache_write_tokens: 60 });
    expect(figures(writeUsage(long as Usage))).to.deep.equal(long);
  });

  it('reads cached audio and video, which other members count', () => {
    const value = {
      prompt_tokens: 100,
      completion_tokens: 1,
      total_tokens: 101,
      prompt_tokens_details: {
        cached_tokens: 40,
        cached_tokens_details: { audio_tokens: 30, text_tokens: 10 },
        audio_tokens: 35,
        video_tokens: 20,
      },
    };
    expect(figures(value)).to.deep.equal(
      usage({ inputUncached: 60, cacheRead: 40, cacheReadAudio: 30, inputAudio: 5, inputVideo: 20, output: 1 }),
    );
    expect(figures(writeUsage(figures(value) as Usage))).to.deep.equal(figures(value));
  });

  it('reads searches, fetches, images and seconds under the names of each vendor', () => {
    const unitsOf = (members: object) => figures({ prompt_tokens: 1, completion_tokens: 1, ...members }).units;
    expect(unitsOf({ num_sources_used: 3 })).to.deep.equal({ webSearches: 3 });
    expect(unitsOf({ num_sources_used: 0 })).to.equal(undefined);
    expect(unitsOf({ num_search_queries: 4 })).to.deep.equal({ webSearches: 4 });
    expect(
      unitsOf({ server_tool_use_details: { web_search_requests: 2, web_fetch_requests: 1, tool_calls_executed: 3 } }),
    ).to.deep.equal({ webSearches: 2, webFetches: 1 });
    expect(
      unitsOf({
        num_sources_used: 9,
        server_side_tool_usage_details: { web_search_calls: 2, x_search_calls: 3, image_generation_calls: 1 },
      }),
    ).to.deep.equal({ webSearches: 5, images: 1 });
    expect(unitsOf({ prompt_audio_seconds: 4 })).to.deep.equal({ seconds: 4 });
    expect(unitsOf({ prompt_audio_seconds: null })).to.equal(undefined);
  });

  it('counts the citations and the reasoning that Perplexity reports beside its totals', () => {
    const value = { prompt_tokens: 33, completion_tokens: 7_163, total_tokens: 7_196, reasoning_tokens: 95_305 };
    expect(figures({ ...value, citation_tokens: 20_016, num_search_queries: 48 })).to.deep.equal(
      usage({ inputUncached: 20_049, output: 102_468, reasoning: 95_305, units: { webSearches: 48 } }),
    );
    expect(figures({ ...value, reasoning_tokens: 95 })).to.include({ output: 7_163, reasoning: 95 });
  });

  it('counts what total_tokens has in addition, and no details explain, as output', () => {
    // Gemini at Google's compatible endpoint thinks without reporting it
    expect(figures({ prompt_tokens: 35, completion_tokens: 12, total_tokens: 109 })).to.include({
      inputUncached: 35,
      output: 74,
      reasoning: 0,
    });
    expect(figures({ prompt_tokens: 35, completion_tokens: 12, total_tokens: 40 })).to.include({ output: 12 });
    expect(figures({ total_tokens: 40 })).to.include({ inputUncached: 0, output: 0 });
  });

  it('adds reasoning outside completion_tokens only when total_tokens shows it', () => {
    const details = { completion_tokens_details: { reasoning_tokens: 502 } };
    expect(figures({ prompt_tokens: 429, completion_tokens: 44, total_tokens: 975, ...details })).to.include({
      output: 546,
      reasoning: 502,
    });
    expect(figures({ prompt_tokens: 429, completion_tokens: 546, total_tokens: 975, ...details })).to.include({
      output: 546,
      reasoning: 502,
    });
  });

  it('adds audio outside prompt_tokens', () => {
    expect(
      figures({
        prompt_tokens: 9,
        completion_tokens: 201,
        total_tokens: 585,
        prompt_tokens_details: { audio_tokens: 375 },
      }),
    ).to.include({ inputUncached: 384 });
    expect(
      figures({
        prompt_tokens: 59,
        completion_tokens: 123,
        total_tokens: 182,
        prompt_tokens_details: { audio_tokens: 43 },
      }),
    ).to.include({ inputUncached: 59 });
  });

  it('adds the reasoning to an output that cannot include it', () => {
    const written = {
      prompt_tokens: 43,
      completion_tokens: 10,
      total_tokens: 53,
      completion_tokens_details: { reasoning_tokens: 11 },
    };
    expect(figures(written)).to.include({ output: 21, reasoning: 11 });
    expect(correctUsage(written, figures(written) as Usage, usageNames)).to.deep.include({
      completion_tokens: 21,
      total_tokens: 64,
      completion_tokens_details: { reasoning_tokens: 11 },
    });
  });

  it('reads audio and image tokens of the uncached input, and of the output without reasoning', () => {
    const written = {
      prompt_tokens: 100,
      completion_tokens: 50,
      prompt_tokens_details: { audio_tokens: 30, image_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 10, audio_tokens: 35 },
    };
    expect(figures(written)).to.deep.equal(
      usage({ inputUncached: 100, output: 50, reasoning: 10, inputAudio: 30, inputImage: 20, outputAudio: 35 }),
    );
    const { prompt_tokens_details, completion_tokens_details } = { ...writeUsage(figures(written) as Usage) };
    expect([prompt_tokens_details, completion_tokens_details]).to.deep.equal([
      { cached_tokens: 0, cache_write_tokens: 0, audio_tokens: 30, image_tokens: 20 },
      { reasoning_tokens: 10, audio_tokens: 35 },
    ]);
    expect(
      figures({
        ...written,
        prompt_tokens_details: { cached_tokens: 90, audio_tokens: 30 },
        completion_tokens_details: { reasoning_tokens: 40, audio_tokens: 35 },
      }),
    ).to.include({ inputAudio: 10, outputAudio: 10 });
  });

  it('keeps the service tier of an earlier chunk', () => {
    const read = createUsageReader();
    expect(read({ service_tier: 'priority', choices: [] })).to.equal(undefined);
    expect(read({ usage: null })).to.equal(undefined);
    expect(read({ usage: { prompt_tokens: 1, completion_tokens: 1 } })?.tier).to.equal('priority');
    expect(readUsage({ prompt_tokens: 1, service_tier: 'standard' })?.tier).to.equal('standard');
    expect(read({ x_groq: { usage: { prompt_tokens: 2 } }, service_tier: 'flex' })).to.include({
      inputUncached: 2,
      tier: 'flex',
    });
  });

  it('returns undefined for a response without usage', () => {
    for (const value of [undefined, null, 5, 'x', [], {}, { prompt_tokens: null, completion_tokens: '7' }])
      expect(readUsage(value)).to.equal(undefined);
  });

  it('writes totals that add up, for any usage', () => {
    const count = fc.nat(10_000);
    fc.assert(
      fc.property(
        fc.record({
          inputUncached: count,
          cacheRead: count,
          cacheWrite5m: count,
          cacheWrite1h: count,
          output: count,
          reasoning: count,
        }),
        (parts) => {
          const known = { ...usage(parts), reasoning: Math.min(parts.reasoning, parts.output) } as Usage;
          const written = writeUsage(known);
          expect(written['total_tokens']).to.equal(inputTotal(known) + known.output);
          expect(figures(written)).to.deep.equal({
            ...known,
            cacheWrite5m: parts.cacheWrite5m + parts.cacheWrite1h,
            cacheWrite1h: 0,
          });
        },
      ),
    );
  });

  it('the usage has no negative count for any report', () => {
    const any = fc.oneof(fc.integer(), fc.double(), fc.constant(null), fc.string());
    const report = fc.record({
      prompt_tokens: fc.oneof(fc.integer(), fc.double()),
      completion_tokens: any,
      total_tokens: any,
      prompt_tokens_details: fc.record({ cached_tokens: any, cache_write_tokens: any, audio_tokens: any }),
      completion_tokens_details: fc.record({ reasoning_tokens: any }),
    });
    fc.assert(
      fc.property(report, (value) => {
        const { inputUncached, cacheRead, cacheWrite5m, output, reasoning } = figures(value) as Usage;
        for (const figure of [inputUncached, cacheRead, cacheWrite5m, output - reasoning, reasoning])
          expect(figure).to.be.at.least(0);
      }),
    );
  });
});

import { expect } from 'chai';
import { inputTotal } from '../../../../core/api/index.ts';
import { mergeUsage, readUsage, writeUsage } from '../../../../providers/google/generate-content/usage.ts';

describe('usage of generate-content', () => {
  it('counts cached tokens in the prompt, tool prompts in addition, and thoughts separately from candidates', () => {
    const usage = readUsage({
      promptTokenCount: 100,
      cachedContentTokenCount: 40,
      toolUsePromptTokenCount: 7,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 30,
      totalTokenCount: 157,
    });
    expect({ ...usage, raw: undefined }).to.deep.equal({
      inputUncached: 67,
      cacheRead: 40,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 50,
      reasoning: 30,
      source: 'provider',
      raw: undefined,
    });
    expect(inputTotal(usage)).to.equal(107);
  });

  it('E36: input is never negative if more is cached than the prompt has', () => {
    const { inputUncached, cacheRead } = readUsage({ promptTokenCount: 100, cachedContentTokenCount: 120 });
    expect([inputUncached, cacheRead]).to.deep.equal([0, 120]);
  });

  it('separates audio and images that were not cached, and those of the candidates', () => {
    const raw = {
      promptTokenCount: 1_000,
      cachedContentTokenCount: 600,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 200 },
        { modality: 'AUDIO', tokenCount: 800 },
      ],
      cacheTokensDetails: [
        { modality: 'AUDIO', tokenCount: 500 },
        { modality: 'TEXT', tokenCount: 100 },
      ],
      toolUsePromptTokenCount: 9,
      toolUsePromptTokensDetails: [{ modality: 'IMAGE', tokenCount: 9 }],
      candidatesTokenCount: 1_300,
      candidatesTokensDetails: [
        { modality: 'IMAGE', tokenCount: 1_290 },
        null,
        'x',
        { modality: 'AUDIO', tokenCount: '5' },
      ],
      totalTokenCount: 2_309,
    };
    expect(readUsage(raw))
      .to.include({ inputUncached: 409, inputAudio: 300, inputImage: 9, output: 1_300, outputImage: 1_290 })
      .and.not.have.property('outputAudio');
    expect(
      readUsage({
        promptTokenCount: 5,
        promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 7 }],
        candidatesTokensDetails: {},
      }),
    ).to.include({ inputUncached: 5, inputAudio: 5 });
  });

  it('the usage has modalities if there are others than text', () => {
    const { promptTokensDetails, candidatesTokensDetails } = {
      ...writeUsage({
        inputUncached: 12,
        cacheRead: 8,
        cacheWrite5m: 0,
        cacheWrite1h: 0,
        output: 90,
        reasoning: 60,
        inputAudio: 5,
        outputImage: 30,
        source: 'provider',
      }),
    };
    expect(promptTokensDetails).to.deep.equal([
      { modality: 'TEXT', tokenCount: 15 },
      { modality: 'AUDIO', tokenCount: 5 },
    ]);
    expect(candidatesTokensDetails).to.deep.equal([{ modality: 'IMAGE', tokenCount: 30 }]);
  });

  it('the usage has the tier, also as Vertex AI names it', () => {
    expect(readUsage({ serviceTier: 'PRIORITY' }).tier).to.equal('priority');
    expect(readUsage({ trafficType: 'ON_DEMAND_FLEX' }).tier).to.equal('flex');
    expect(readUsage({ trafficType: 'ON_DEMAND_PRIORITY' }).tier).to.equal('priority');
    expect(readUsage({ trafficType: 'ON_DEMAND_OFFPEAK' }).tier).to.equal('offpeak');
    expect(readUsage({ trafficType: 'PROVISIONED_THROUGHPUT' }).tier).to.equal('provisioned_throughput');
    expect(readUsage({ trafficType: 'constructor' }).tier).to.equal(undefined);
  });

  it('uses the last total of a stream, and merges chunks without one', () => {
    const first = { promptTokenCount: 9, candidatesTokenCount: 21, totalTokenCount: 30 };
    expect(mergeUsage(first, { promptTokenCount: 9, totalTokenCount: 9 })).to.deep.equal({
      promptTokenCount: 9,
      totalTokenCount: 9,
    });
    expect(mergeUsage(first, { trafficType: 'ON_DEMAND' })).to.deep.equal({ ...first, trafficType: 'ON_DEMAND' });
  });

  it('the usage has a total that is the sum of its parts', () => {
    const written = writeUsage({
      inputUncached: 12,
      cacheRead: 4_000,
      cacheWrite5m: 500,
      cacheWrite1h: 0,
      output: 90,
      reasoning: 60,
      tier: 'default',
      source: 'provider',
    });
    expect(written).to.deep.equal({
      promptTokenCount: 4_512,
      cachedContentTokenCount: 4_000,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 60,
      totalTokenCount: 4_602,
      serviceTier: 'standard',
    });
    expect(
      writeUsage({
        inputUncached: 1,
        cacheRead: 0,
        cacheWrite5m: 0,
        cacheWrite1h: 0,
        output: 0,
        reasoning: 0,
        source: 'provider',
      }),
    ).to.deep.equal({ promptTokenCount: 1, candidatesTokenCount: 0, totalTokenCount: 1 });
  });
});

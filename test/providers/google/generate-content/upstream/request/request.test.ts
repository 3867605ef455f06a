import { expect } from 'chai';
import type { GenerateRequest } from '../../../../../../core/api/index.ts';
import { generateContentCodec } from '../../../../../../providers/google/generate-content/index.ts';
import { decodeBody, encode, foreign, namesOf } from '../exchange.ts';

const configOf = (members: Partial<GenerateRequest>) => encode(foreign(members)).body['generationConfig'];
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];

describe('generate-content upstream: requests', () => {
  it('the upstream request has the contents and nothing that the client did not send', () => {
    const { body, losses } = encode(foreign());
    expect(body).to.deep.equal({ contents });
    expect(losses).to.deep.equal([]);
  });

  it('the upstream request has the settings in generationConfig', () => {
    expect(
      configOf({
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        seed: 7,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        stop: ['END'],
        maxTokens: 100,
        choices: 2,
      }),
    ).to.deep.equal({
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      candidateCount: 2,
      maxOutputTokens: 100,
      stopSequences: ['END'],
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
    });
  });

  it('requests JSON with and without a schema', () => {
    const schema = { type: 'object', properties: { a: { const: 1 } }, additionalProperties: false };
    expect(configOf({ output: { type: 'json' } })).to.deep.equal({ responseMimeType: 'application/json' });
    const { body, losses } = encode(
      foreign({ output: { type: 'schema', name: 'n', description: 'd', schema, strict: false } }),
    );
    expect(body['generationConfig']).to.deep.equal({
      responseMimeType: 'application/json',
      responseJsonSchema: { ...schema, properties: { a: { enum: [1] } } },
    });
    expect(namesOf(losses)).to.deep.equal([
      'dropped response_format.description',
      'approximated response_format.strict',
    ]);
  });

  it('sends a level or a budget, never both', () => {
    const thinking = (reasoning: GenerateRequest['reasoning'], wire = 'chat-completions') =>
      (configOf({ wire, reasoning }) as { thinkingConfig?: unknown } | undefined)?.thinkingConfig;
    expect(thinking({ effort: 'low' })).to.deep.equal({ includeThoughts: true, thinkingLevel: 'LOW' });
    expect(thinking({ effort: 'low', budget: 100 })).to.deep.equal({ includeThoughts: true, thinkingBudget: 100 });
    expect(thinking({ budget: 100, show: false })).to.deep.equal({ thinkingBudget: 100 });
    expect(thinking({ budget: 0, show: true })).to.deep.equal({ thinkingBudget: 0 });
    expect(thinking({ effort: 'none' })).to.deep.equal({ thinkingBudget: 0 });
    expect(thinking({ show: true })).to.deep.equal({ includeThoughts: true });
    expect(thinking({ show: false })).to.equal(undefined);
    expect(thinking({ budget: 100 }, 'generate-content')).to.deep.equal({ thinkingBudget: 100 });
  });

  it('maps efforts above high to HIGH', () => {
    const { body, losses } = encode(foreign({ reasoning: { effort: 'xhigh' } }));
    expect(body['generationConfig']).to.deep.equal({
      thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' },
    });
    expect(namesOf(losses)).to.deep.equal(['approximated reasoning_effort']);
  });

  it('maps tiers to the three of this wire', () => {
    const tier = (serviceTier: string, wire = 'messages') => encode(foreign({ wire, serviceTier })).body['serviceTier'];
    expect(
      ['priority', 'fast', 'flex', 'default', 'standard_only', 'auto', 'scale', 'constructor'].map((word) =>
        tier(word),
      ),
    ).to.deep.equal(['priority', 'priority', 'flex', 'standard', 'standard', undefined, undefined, undefined]);
    expect(tier('new', 'generate-content')).to.equal('new');
    expect(namesOf(encode(foreign({ serviceTier: 'scale' })).losses)).to.deep.equal(['dropped service_tier']);
    expect(encode(foreign({ serviceTier: 'auto' })).losses).to.deep.equal([]);
  });

  it('names the fields that the wire does not have', () => {
    const { losses } = encode(
      foreign({
        verbosity: 'low',
        user: 'u',
        cacheKey: 'k',
        parallelTools: false,
        seed: 2 ** 40,
        stop: ['1', '2', '3', '4', '5', '6'],
        extra: { wire: 'chat-completions', members: { logit_bias: {} } },
      }),
    );
    expect(namesOf(losses)).to.have.members([
      'dropped verbosity',
      'dropped user',
      'dropped prompt_cache_key',
      'dropped parallel_tool_calls',
      'dropped seed',
      'approximated stop',
      'dropped logit_bias',
    ]);
    expect(configOf({ stop: ['1', '2', '3', '4', '5', '6'], seed: 2 ** 40 })).to.deep.equal({
      stopSequences: ['1', '2', '3', '4', '5'],
    });
  });

  it('the upstream request keeps `store: false`', () => {
    expect(encode(foreign({ store: false })).body['store']).to.equal(false);
  });

  it('restores the extra members of its own wire', () => {
    const body = {
      contents,
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
      labels: { a: 'b' },
      cachedContent: 'cachedContents/1',
      generationConfig: {
        responseModalities: ['TEXT'],
        thinkingConfig: { thinkingBudget: 5, koine: 1 },
        seed: 2 ** 40,
      },
      tools: [{ functionDeclarations: [{ name: 'f', description: 'd', behavior: 'BLOCKING' }] }, { googleSearch: {} }],
      toolConfig: { functionCallingConfig: { mode: 'VALIDATED' }, retrievalConfig: { languageCode: 'en' } },
    };
    const { body: again, losses } = encode(decodeBody(body));
    expect(again).to.deep.equal(body);
    expect(losses).to.deep.equal([]);
  });

  it('E23: declares the tool names that the wire accepts', () => {
    const { toolName } = generateContentCodec.upstream?.limits ?? {};
    for (const name of ['files.read:v2', '_x', 'a-b', 'f'.repeat(128)])
      expect(toolName?.test(name), name).to.equal(true);
    for (const name of ['1f', '-f', 'a b', '', 'f'.repeat(129)]) expect(toolName?.test(name), name).to.equal(false);
  });
});

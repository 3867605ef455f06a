import { expect } from 'chai';
import type { GenerateRequest, GenerateResponse, JsonObject, Usage } from '../../../core/api/index.ts';
import { unfoldResponse } from '../../../core/api/codec.ts';
import { chatCompletionsCodec } from '../../../providers/openai/chat-completions/index.ts';
import { responsesCodec } from '../../../providers/openai/responses/index.ts';

const request: GenerateRequest = {
  wire: 'chat-completions',
  turns: [],
  tools: [],
  choices: 1,
  stream: true,
  includeUsage: true,
  extra: { wire: 'chat-completions', members: {} },
};
const answerBy = (tier: string): GenerateResponse => {
  const usage: Usage = {
    inputUncached: 1,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: 1,
    reasoning: 0,
    source: 'provider',
    tier,
  };
  return {
    id: 'x',
    model: 'm',
    choices: [{ parts: [{ type: 'text', text: 'a' }], finish: { reason: 'stop' } }],
    usage,
  };
};
const served: readonly (readonly [tier: string, word: string])[] = [
  ['standard', 'default'],
  ['batch', 'default'],
  ['priority', 'priority'],
  ['flex', 'flex'],
  ['on_demand', 'on_demand'],
];

describe('the tier that served a response', () => {
  for (const { wire, client } of [chatCompletionsCodec, responsesCodec]) {
    it(`writes the service tier that served a response as OpenAI names it, plain and streamed: ${wire}`, () => {
      for (const [tier, word] of served) {
        const context = {
          request,
          created: 1,
          now: () => 1,
          newId: (prefix: string) => `${prefix}1`,
          lose: () => {},
          inputEstimate: 1,
        };
        expect(client?.encodeResponse(answerBy(tier), context)).to.include({ service_tier: word });
        const encoder = client?.encodeStream?.(context);
        const frames: string[] = [];
        unfoldResponse(answerBy(tier), (event) => encoder?.push(event, (_name, data) => void frames.push(data)));
        const named = frames
          .filter((data) => data.startsWith('{'))
          .map((data) => JSON.parse(data) as JsonObject & { response?: JsonObject });
        const tiers = named
          .map(({ service_tier: plain, response }) => plain ?? response?.['service_tier'])
          .filter((found) => found !== undefined);
        expect(tiers.at(-1)).to.equal(word);
      }
    });
  }
});

import { expect } from 'chai';
import { promptOf } from '../../../core/canonical/prompt.ts';
import type { GenerateRequest } from '../../../core/canonical/request.ts';

describe('promptOf', () => {
  it('the prompt keeps every member of the request except those that concern the response', () => {
    const prompt: GenerateRequest = {
      wire: 'messages',
      turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
      tools: [{ name: 'f', kind: 'function' }],
      toolChoice: { mode: 'required' },
      output: { type: 'json' },
      reasoning: { budget: 2_000 },
      choices: 1,
      stream: false,
      includeUsage: true,
      extra: { wire: 'messages', members: { a: 1 } },
    };
    const answer = {
      maxTokens: 5,
      temperature: 1,
      topP: 1,
      topK: 1,
      seed: 1,
      presencePenalty: 1,
      frequencyPenalty: 1,
      stop: ['x'],
      logprobs: 2,
      user: 'u',
      serviceTier: 'flex',
      cacheKey: 'k',
      store: true,
      verbosity: 'low',
    };
    expect(promptOf({ ...prompt, ...answer, choices: 3, stream: true })).to.deep.equal(prompt);
  });
});

import { expect } from 'chai';
import type { Guard, TokenLogprob } from '../../../core/api/index.ts';
import { foldEvents, type GenerateEvent } from '../../../core/api/codec.ts';
import { guardResponse } from '../../../core/lanes/translated/content-guard.ts';

const tokenOf = (token: string): TokenLogprob => ({ token, logprob: -1, top: [] });

/** Two texts, one token a delta, as the guard leaves them. */
const guard = (inspect: Guard['inspect'], isWhole: boolean) => {
  const texts = [
    ['The ', 'word ', 'is ', 'swordfish'],
    ['Good ', 'day'],
  ];
  const events: readonly GenerateEvent[] = [
    { type: 'response-start' },
    ...texts.flatMap((pieces, part): GenerateEvent[] => [
      { type: 'part-start', choice: 0, part, kind: 'text' },
      ...pieces.map((text): GenerateEvent => ({
        type: 'part-delta',
        choice: 0,
        part,
        text,
        logprobs: [tokenOf(text)],
      })),
      { type: 'part-end', choice: 0, part },
    ]),
    { type: 'choice-end', choice: 0, finish: { reason: 'stop' } },
    { type: 'response-end' },
  ];
  const { filter } = guardResponse([{ window: 'swordfish'.length - 1, inspect }], isWhole);
  const passed: GenerateEvent[] = [];
  for (const event of events) filter.push(event, (guarded) => void passed.push(guarded));
  return {
    json: JSON.stringify(passed),
    tokens: foldEvents(passed).choices[0]?.parts.map((part) =>
      part.type === 'text' ? (part.logprobs ?? []).map(({ token }) => token) : part.type,
    ),
  };
};

describe('log probabilities of a guarded response', () => {
  for (const [mode, isWhole] of [
    ['plain', true],
    ['streamed', false],
  ] as const) {
    it(`are those of a text that no guard has changed, ${mode}`, () => {
      expect(guard(() => 'pass', isWhole).tokens).to.deep.equal([
        ['The ', 'word ', 'is ', 'swordfish'],
        ['Good ', 'day'],
      ]);
    });

    it(`are left out of a text that a guard has changed, ${mode}`, () => {
      const { tokens, json } = guard(
        (text) => (text.includes('swordfish') ? { replace: text.replace('swordfish', '***') } : 'pass'),
        isWhole,
      );
      expect(tokens).to.deep.equal([[], ['Good ', 'day']]);
      expect(json).to.not.include('swordfish');
    });

    it(`are left out of a text that a guard refuses, ${mode}`, () => {
      const { json } = guard((text) => (text.includes('swordfish') ? { refuse: 'No.' } : 'pass'), isWhole);
      expect(json).to.not.include('swordfish').and.not.include('logprobs');
    });
  }
});

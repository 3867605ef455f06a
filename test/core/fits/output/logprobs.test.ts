import { expect } from 'chai';
import type { GenerateEvent } from '../../../../core/canonical/event.ts';
import { foldEvents } from '../../../../core/canonical/fold.ts';
import { createJsonToolReply } from '../../../../core/fits/output/json-tool-reply.ts';
import { logprobsFit } from '../../../../core/fits/output/logprobs.ts';
import { createStopCutter } from '../../../../core/fits/output/stop-cutter.ts';
import { checkGrammar } from '../event-grammar.ts';
import { createProfile, createRequest, filterEvents, namesOf, runFit } from '../samples.ts';

const refusing = createProfile({ logprobs: false }, { wire: 'generate-content' });

const delta = (text: string, ...tokens: readonly string[]): GenerateEvent => ({
  type: 'part-delta',
  choice: 0,
  part: 0,
  text,
  ...(tokens.length === 0 ? {} : { logprobs: tokens.map((token) => ({ token, logprob: -1, top: [] })) }),
});
/** A response of one text. */
const textOf = (...deltas: readonly GenerateEvent[]): readonly GenerateEvent[] => [
  { type: 'response-start' },
  { type: 'part-start', choice: 0, part: 0, kind: 'text' },
  ...deltas,
  { type: 'part-end', choice: 0, part: 0 },
  { type: 'choice-end', choice: 0, finish: { reason: 'stop' } },
  { type: 'response-end' },
];
/** The text and the tokens that are left. */
const shownOf = (events: readonly GenerateEvent[]): unknown => {
  expect(checkGrammar(events)).to.deep.equal([]);
  const [part] = foldEvents(events).choices[0]?.parts ?? [];
  return part?.type === 'text' ? [part.text, (part.logprobs ?? []).map(({ token }) => token)] : part;
};

describe('logprobs fit', () => {
  it('asks no model for log probabilities that refuses them, and reports it under the client’s names', () => {
    const { request, losses } = runFit(logprobsFit, createRequest({ logprobs: 2, wire: 'responses' }), refusing);
    expect(request.logprobs).to.equal(undefined);
    expect(namesOf(losses)).to.deep.equal(['include dropped', 'top_logprobs dropped']);
    expect(namesOf(runFit(logprobsFit, createRequest({ logprobs: 0 }), refusing).losses)).to.deep.equal([
      'logprobs dropped',
    ]);
  });

  it('leaves the request of a client of the same wire to the vendor', () => {
    const request = createRequest({ logprobs: 2, wire: 'generate-content' });
    expect(runFit(logprobsFit, request, refusing).fitted).to.equal(undefined);
  });

  it('only tokens before a stop sequence remain', () => {
    const events = textOf(
      delta('One', 'One'),
      delta(', tw', ',', ' tw'),
      delta('o END', 'o', ' E', 'ND'),
      delta('x', 'x'),
    );
    expect(shownOf(filterEvents(createStopCutter(['END']), events))).to.deep.equal([
      'One, two ',
      ['One', ',', ' tw', 'o'],
    ]);
    expect(shownOf(filterEvents(createStopCutter(['STOP']), events))).to.deep.equal([
      'One, two ENDx',
      ['One', ',', ' tw', 'o', ' E', 'ND', 'x'],
    ]);
  });

  it('tokens of a text that was held back for the hidden tool stay with it', () => {
    const events = textOf(delta('a', 'a'), delta('b'), delta('c', 'c'));
    expect(shownOf(filterEvents(createJsonToolReply('answer'), events))).to.deep.equal(['abc', ['a', 'c']]);
  });
});

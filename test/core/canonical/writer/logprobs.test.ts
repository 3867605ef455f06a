import { expect } from 'chai';
import type { TokenLogprob } from '../../../../core/api/index.ts';
import { EventWriter, foldEvents, type GenerateEvent, unfoldResponse } from '../../../../core/api/codec.ts';
import { checkEventGrammar } from '../../../../core/testing/index.ts';

const tokenOf = (token: string): TokenLogprob => ({ token, logprob: -0.5, top: [{ token, logprob: -0.5 }] });

const write = (use: (answer: ReturnType<EventWriter['choice']>) => void): readonly GenerateEvent[] => {
  const emitted: GenerateEvent[] = [];
  const events = new EventWriter((event) => void emitted.push(event));
  use(events.choice(0));
  events.choice(0).finish({ reason: 'stop' });
  events.end();
  expect(checkEventGrammar(emitted)).to.deep.equal([]);
  return emitted;
};
/** The text and the tokens of each delta. */
const deltasOf = (events: readonly GenerateEvent[]) =>
  events.flatMap((event) =>
    event.type === 'part-delta' ? [[event.text, event.logprobs?.map(({ token }) => token)]] : [],
  );

describe('the writer of events: log probabilities', () => {
  it('are sent with the text that follows them', () => {
    const events = write((answer) => {
      answer.logprobs([tokenOf('Hi')]);
      answer.text('Hi');
      answer.text(' there');
      answer.logprobs([tokenOf('.')]);
      answer.text('.');
    });
    expect(deltasOf(events)).to.deep.equal([
      ['Hi', ['Hi']],
      [' there', undefined],
      ['.', ['.']],
    ]);
  });

  it('wait for the text, and for the other half of a character', () => {
    const events = write((answer) => {
      answer.logprobs([tokenOf('a')]);
      answer.reasoning('Let me see.');
      answer.logprobs([tokenOf('b')]);
      answer.text('\ud83d');
      answer.logprobs([tokenOf('c')]);
      answer.text('\ude00');
    });
    expect(deltasOf(events)).to.deep.equal([
      ['Let me see.', undefined],
      ['😀', ['a', 'b', 'c']],
    ]);
  });

  it('of a text that nothing follows are sent when it ends', () => {
    const events = write((answer) => {
      answer.text('Hi');
      answer.logprobs([tokenOf('')]);
    });
    expect(deltasOf(events)).to.deep.equal([
      ['Hi', undefined],
      ['', ['']],
    ]);
    expect(foldEvents(events).choices[0]?.parts).to.deep.equal([{ type: 'text', text: 'Hi', logprobs: [tokenOf('')] }]);
  });

  it('of a response without a text are left out', () => {
    const events = write((answer) => {
      answer.logprobs([tokenOf('f')]);
      answer.call({ id: 'c', name: 'f', kind: 'function' });
    });
    expect(JSON.stringify(events)).to.not.include('logprobs');
  });

  it('of a text or a refusal are the same plain and streamed', () => {
    const parts = (['text', 'refusal'] as const).map((type) => ({
      type,
      text: 'No.',
      logprobs: [tokenOf('No'), tokenOf('.')],
    }));
    const response = { choices: [{ parts, finish: { reason: 'stop' } as const }] };
    const events: GenerateEvent[] = [];
    unfoldResponse(response, (event) => void events.push(event));
    expect(checkEventGrammar(events)).to.deep.equal([]);
    expect(foldEvents(events).choices[0]?.parts).to.deep.equal(parts);
  });
});

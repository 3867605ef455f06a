import { expect } from 'chai';
import { GatewayError, type Usage } from '../../../../core/api/index.ts';
import type { GenerateEvent } from '../../../../core/api/codec.ts';
import {
  checkEventGrammar,
  checkUsage,
  interleavedEvents,
  listEvents,
  sampleResponses,
} from '../../../../core/testing/index.ts';

const start: GenerateEvent = { type: 'response-start' };
const open: GenerateEvent = { type: 'part-start', choice: 0, part: 0, kind: 'text' };
const delta: GenerateEvent = { type: 'part-delta', choice: 0, part: 0, text: 'x' };
const close: GenerateEvent = { type: 'part-end', choice: 0, part: 0 };
const finish: GenerateEvent = { type: 'choice-end', choice: 0, finish: { reason: 'stop' } };
const end: GenerateEvent = { type: 'response-end' };
const error: GenerateEvent = { type: 'error', error: new GatewayError('upstream_truncated') };
const call = (head: object): GenerateEvent => ({ type: 'part-start', choice: 0, part: 0, kind: 'tool-call', ...head });

describe('checkEventGrammar', () => {
  it('the event grammar accepts complete responses, interleaved calls, and errors anywhere', () => {
    for (const events of [
      interleavedEvents,
      ...sampleResponses.map(([, response]) => listEvents(response)),
      [error],
      [start, open, delta, error],
    ]) {
      expect(checkEventGrammar(events)).to.deep.equal([]);
    }
  });
  const wrong: readonly (readonly [events: readonly GenerateEvent[], problem: string])[] = [
    [[], 'without response-end or error'],
    [[start, open, delta, close, finish], 'without response-end or error'],
    [[start, open, close, finish, end, end], 'response-end after response-end'],
    [[start, error, delta], 'part-delta after error'],
    [[start, start, end], 'a second response-start'],
    [[open, close, finish, end], 'part-start before response-start'],
    [[start, delta, finish, end], 'which is not open'],
    [[start, open, close, close, finish, end], 'which is not open'],
    [[start, open, finish, end], 'ends while part 0/0 is open'],
    [[start, open, close, open, close, finish, end], 'starts again'],
    [[start, open, close, end], 'the choice of part 0/0 does not'],
    [[start, finish, finish, end], 'choice 0 ends again'],
    [[start, finish, open, close, end], 'after its choice ended'],
    [[start, call({}), close, finish, end], 'has no id'],
    [[start, call({ call: { id: 'a', name: '', kind: 'function' } }), close, finish, end], 'has no name'],
    [[start, { ...open, kind: 'media' }, close, finish, end], 'has no value'],
    [[start, { ...open, kind: 'opaque', value: 1 }, delta, close, finish, end], 'whose kind opaque has none'],
  ];
  for (const [events, problem] of wrong) {
    it(`the event grammar refuses ${events.map(({ type }) => type).join(', ') || 'nothing'}: ${problem}`, () => {
      expect(checkEventGrammar(events).join('\n')).to.include(problem);
    });
  }
});

describe('checkUsage', () => {
  const usage: Usage = {
    inputUncached: 1,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: 2,
    reasoning: 1,
    source: 'provider',
  };
  it('the event grammar requires integers that are not negative', () => {
    expect(checkUsage(usage)).to.deep.equal([]);
    expect(checkUsage({ ...usage, cacheRead: -1 }).join()).to.include('cacheRead is -1');
    expect(checkUsage({ ...usage, output: 2.5 }).join()).to.include('output is 2.5');
    expect(checkUsage({ ...usage, inputUncached: Number.NaN }).join()).to.include('inputUncached is NaN');
  });
  it('the event grammar requires reasoning within the output and cache within the input', () => {
    expect(checkUsage({ ...usage, reasoning: 3 }).join()).to.include('more than output');
    expect(checkUsage({ ...usage, inputUncached: -5, cacheRead: 4 }).join()).to.include('more than input');
  });
  it('the rules of usage hold for units, cached audio and further calls', () => {
    const whole = { ...usage, cacheRead: 3, cacheReadAudio: 3, units: { webSearches: 2 } };
    expect(checkUsage({ ...whole, further: [whole] })).to.deep.equal([]);
    expect(checkUsage({ ...whole, units: { webSearches: -2 } }).join()).to.equal('webSearches is -2');
    expect(checkUsage({ ...whole, inputVideo: 0.5 }).join()).to.equal('inputVideo is 0.5');
    expect(checkUsage({ ...whole, cacheRead: 2 }).join()).to.include('cached audio and images (3) are more than');
    expect(checkUsage({ ...whole, further: [{ ...usage, reasoning: 3 }] }).join()).to.include('a further call: reason');
  });
});

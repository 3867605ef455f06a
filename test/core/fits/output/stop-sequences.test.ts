import { expect } from 'chai';
import * as fc from 'fast-check';
import type { GenerateEvent } from '../../../../core/canonical/event.ts';
import { foldEvents } from '../../../../core/canonical/fold.ts';
import type { Usage } from '../../../../core/canonical/usage.ts';
import { createStopCutter } from '../../../../core/fits/output/stop-cutter.ts';
import { stopSequencesFit } from '../../../../core/fits/output/stop-sequences.ts';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';
import { checkGrammar } from '../event-grammar.ts';
import { isLinear } from '../../../support/time/growth.ts';
import { catchError, createAnswer, createProfile, createRequest, filterEvents, namesOf, runFit } from '../samples.ts';

const noStop = createProfile({ stop: false }, { wire: 'responses' });
const textOf = (events: readonly GenerateEvent[], choice = 0): string =>
  events.map((event) => (event.type === 'part-delta' && event.choice === choice ? event.text : '')).join('');

/** One choice of one text, in the given pieces. */
const stream = (pieces: readonly string[], choice = 0): readonly GenerateEvent[] => [
  { type: 'part-start', choice, part: 0, kind: 'text' },
  ...pieces.map((text): GenerateEvent => ({ type: 'part-delta', choice, part: 0, text })),
  { type: 'part-end', choice, part: 0 },
  { type: 'choice-end', choice, finish: { reason: 'stop' } },
];
const whole = (pieces: readonly string[]): readonly GenerateEvent[] => [
  { type: 'response-start' },
  ...stream(pieces),
  { type: 'response-end' },
];
const cut = (sequences: readonly string[], events: readonly GenerateEvent[]): readonly GenerateEvent[] => {
  const out = filterEvents(createStopCutter(sequences), events);
  expect(checkGrammar(out)).to.deep.equal([]);
  return out;
};

describe('stop-sequences fit', () => {
  it('removes stop sequences if the target has none, and reports it under the client’s name', () => {
    const { request, losses, fitted } = runFit(
      stopSequencesFit,
      createRequest({ stop: ['END'], wire: 'messages' }),
      noStop,
    );
    expect(request.stop).to.equal(undefined);
    expect(fitted?.reply).to.be.a('function');
    expect(namesOf(losses)).to.deep.equal(['stop_sequences approximated']);
    expect(losses[0]?.detail).to.include('billed');
  });

  it('keeps stop sequences if the target supports them', () => {
    expect(runFit(stopSequencesFit, createRequest({ stop: ['END'] }), createProfile()).fitted).to.equal(undefined);
  });

  it('neither cuts nor reports anything if all stop sequences are empty', () => {
    const { fitted, losses } = runFit(stopSequencesFit, createRequest({ stop: [''] }), noStop);
    expect(fitted?.reply).to.equal(undefined);
    expect(losses).to.deep.equal([]);
  });

  it('refuses more, and longer, stop sequences than the maximum', () => {
    for (const stop of [Array.from({ length: 33 }, (_, index) => `s${index}`), ['x'.repeat(4_097)]]) {
      expect(catchError(() => runFit(stopSequencesFit, createRequest({ stop }), noStop))).to.include({
        code: 'unsupported_parameter',
        param: 'stop',
      });
    }
  });
});

describe('the cut at a stop sequence', () => {
  it('E26 cuts at a stop sequence that arrives in two pieces, and sends nothing of it', () => {
    const out = cut(['END'], whole(['foo E', 'ND bar']));
    expect(out.filter(({ type }) => type === 'part-delta')).to.deep.equal([
      { type: 'part-delta', choice: 0, part: 0, text: 'foo ' },
    ]);
    expect(out.at(-2)).to.deep.equal({
      type: 'choice-end',
      choice: 0,
      finish: { reason: 'stop_sequence', sequence: 'END' },
    });
  });

  it('sends text that only looked like the start of a stop sequence', () => {
    expect(textOf(cut(['END'], whole(['foo E', 'N', 'E', 'END'])))).to.equal('foo ENE');
    const kept = cut(['END'], whole(['foo EN']));
    expect(textOf(kept)).to.equal('foo EN');
    expect(kept.at(-2)).to.deep.include({ finish: { reason: 'stop' } });
  });

  it('immediately sends text that cannot start a stop sequence', () => {
    const seen: string[] = [];
    const cutter = createStopCutter(['END']);
    for (const event of whole(['one ', 'two E', 'x']))
      cutter.push(event, (out) => out.type === 'part-delta' && seen.push(out.text));
    expect(seen).to.deep.equal(['one ', 'two ', 'Ex']);
  });

  it('uses the stop sequence that is complete first, and of two at once the longer', () => {
    expect(textOf(cut(['bcdefg', 'cd'], whole(['abcdefgh'])))).to.equal('ab');
    const both = cut(['cd', 'bcd'], whole(['abcde']));
    expect(textOf(both)).to.equal('a');
    expect(both.at(-2)).to.deep.include({ finish: { reason: 'stop_sequence', sequence: 'bcd' } });
  });

  it('cuts at a stop sequence at the same place in any chunking', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ä'), minLength: 1, maxLength: 4 });
    const reference = (text: string, sequences: readonly string[]): string => {
      for (let end = 1; end <= text.length; end += 1) {
        const complete = sequences
          .filter((sequence) => text.slice(0, end).endsWith(sequence))
          .toSorted((x, y) => y.length - x.length)[0];
        if (complete !== undefined) return text.slice(0, end - complete.length);
      }
      return text;
    };
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'ä'), maxLength: 6 }), { maxLength: 8 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        (pieces, sequences) => {
          expect(textOf(cut(sequences, whole(pieces)))).to.equal(reference(pieces.join(''), sequences));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('drops text, calls and the finish reason after a stop sequence, and ends open parts', () => {
    const answer = createAnswer(['go END on', { name: 'find', pieces: ['{"a"', ':1}'] }, 'more'], 'tool_calls');
    const { choices } = foldEvents(cut(['END'], answer));
    expect(choices).to.deep.equal([
      { parts: [{ type: 'text', text: 'go ' }], finish: { reason: 'stop_sequence', sequence: 'END' } },
    ]);
  });

  it('reports the usage of the whole response when a stop sequence cuts it', () => {
    const usage: Usage = {
      inputUncached: 3,
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 90,
      reasoning: 0,
      source: 'provider',
    };
    const events = whole(['a END b']).toSpliced(-1, 0, { type: 'usage', usage });
    expect(foldEvents(cut(['END'], events)).usage?.output).to.equal(90);
  });

  it('searches only text for stop sequences, not calls or reasoning', () => {
    const events: readonly GenerateEvent[] = [
      { type: 'part-start', choice: 0, part: 0, kind: 'reasoning' },
      { type: 'part-delta', choice: 0, part: 0, text: 'the END' },
      { type: 'part-end', choice: 0, part: 0 },
      ...createAnswer([{ name: 'find', pieces: ['{"q":"END"}'] }], 'tool_calls')
        .map((event) => ('part' in event ? { ...event, part: 1 } : event))
        .slice(1),
    ];
    expect(cut(['END'], events)).to.deep.equal(events);
  });

  it('cuts each choice at its stop sequence separately', () => {
    const [left, right] = [stream(['x E', 'ND y']), stream(['x E', 'xit'], 1)];
    const events: readonly GenerateEvent[] = [
      { type: 'response-start' },
      ...left.flatMap((event, index) => [event, right[index] ?? event]),
      { type: 'response-end' },
    ];
    const out = cut(['END'], events);
    expect([textOf(out, 0), textOf(out, 1)]).to.deep.equal(['x ', 'x Exit']);
    expect(foldEvents(out).choices.map(({ finish }) => finish.reason)).to.deep.equal(['stop_sequence', 'stop']);
  });

  it('keeps the citations of text before a stop sequence, and drops the proof of a cut text', () => {
    const vendor = { wire: 'responses', value: {} };
    const events = whole(['😀 one END two']).map((event): GenerateEvent =>
      event.type === 'part-end'
        ? {
            ...event,
            proof: { origin: undefined, value: 'blob' },
            citations: [
              { start: 0, end: 3, vendor },
              { start: 2, end: 13, vendor },
              { start: 7, end: 9, vendor },
            ],
          }
        : event,
    );
    expect(foldEvents(cut(['END'], events)).choices[0]?.parts[0]).to.deep.equal({
      type: 'text',
      text: '😀 one ',
      citations: [
        { start: 0, end: 3, vendor },
        { start: 2, end: 6, vendor },
      ],
    });
  });

  it('sends text that was buffered for stop sequences when the stream fails', () => {
    const out = filterEvents(createStopCutter(['END']), [
      ...whole(['foo E']).slice(0, 3),
      { type: 'error', error: new GatewayError('upstream_reset') },
    ]);
    expect(textOf(out)).to.equal('foo E');
    expect(out.at(-1)?.type).to.equal('error');
  });

  it('cutting at stop sequences takes linear time for a text that repeatedly starts one', async () => {
    const prepare = (size: number) => ({
      sequences: [`${'a'.repeat(size)}b`],
      events: whole(Array.from({ length: 5 * size }, () => 'aaaaaaaa')),
    });
    const work = ({ sequences, events }: ReturnType<typeof prepare>) => cut(sequences, events);
    expect(await isLinear(250, prepare, work)).to.equal(true);
  });
});

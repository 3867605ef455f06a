import { expect } from 'chai';
import { codecLaws, describeRecording, type Expectation, type Recording } from '../../../core/testing/index.ts';
import { createCodec, createRecordings, ownWords } from './laws/vocabularies.ts';

const codec = createCodec(ownWords);
const recordings = createRecordings(ownWords);

const recordingOf = (name: string): Recording => {
  const found = recordings.find((recording) => recording.name === name);
  if (found === undefined) throw new Error(`there is no recording ${name}`);
  return found;
};
const without = (name: string, expected?: Expectation | 'unread'): Recording => {
  const { expected: _accepted, ...recording } = recordingOf(name);
  return expected === undefined ? recording : { ...recording, expected };
};
/** The failures of the laws about one recording. */
const failuresOf = (recording: Recording, subject = codec): readonly string[] =>
  codecLaws(subject, [recording]).flatMap(({ name, run }) => {
    if (name.endsWith('responses are recorded')) return [];
    try {
      void run();
      return [];
    } catch (thrown) {
      return [String(thrown)];
    }
  });

describe('the expectation of a recording', () => {
  for (const name of ['cut plain', 'cut streamed', 'broken streamed', 'refused with 429 quota'])
    it(`is required, and the failure has the one to read and to add: ${name}`, () => {
      const [failure = '', ...others] = failuresOf(without(name));
      expect(others).to.deep.equal([]);
      expect(failure).to.include(
        `${name} has no expectation. Read the response, correct what is wrong here, and add it`,
      );
      const shown = JSON.parse(failure.slice(failure.indexOf('"expected": ') + '"expected": '.length)) as Expectation;
      expect(shown).to.deep.equal(recordingOf(name).expected);
      expect(shown).to.deep.equal(describeRecording(codec, recordingOf(name)));
    });

  it('must have something in it', () => {
    for (const empty of [
      {},
      { model: 'm-7' },
      { choices: [{ parts: [], finish: { reason: 'stop' } }], usage: {} },
    ] as const)
      expect(failuresOf(without('cut plain', empty))[0]).to.include('Nothing is recognised in cut plain');
  });

  it('is not made of a response in which the codec recognises nothing', () => {
    const { upstream } = codec;
    if (upstream === undefined) throw new Error('the codec has an upstream side');
    const blind = {
      ...codec,
      upstream: { ...upstream, decodeResponse: () => ({ choices: [] }), decodeStream: () => ({ push() {}, end() {} }) },
    };
    expect(failuresOf(without('cut plain'), blind)[0]).to.include('Nothing is recognised in cut plain');
    const nothing = { error: { code: 'upstream_truncated', failure: 'transient', message: 'It ended.' } } as const;
    expect(failuresOf(without('cut streamed', nothing))[0]).to.include('Nothing is recognised in cut streamed');
  });

  it('is not compared for traffic that no person has read', () => {
    expect(failuresOf(without('cut plain', 'unread'))).to.deep.equal([]);
    expect(failuresOf(without('cut streamed', 'unread'))).to.deep.equal([]);
  });

  it('stands in recordings of the wire, plain and streamed: without them the laws fail', () => {
    const failureOf = (some: readonly Recording[]): string =>
      codecLaws(codec, some)
        .filter(({ name }) => name.endsWith('responses are recorded'))
        .map(({ run }) => {
          try {
            void run();
            return '';
          } catch (thrown) {
            return String(thrown);
          }
        })
        .join();
    expect(failureOf([])).to.include(
      'no recording of the wire own-words has:\n  a plain response\n  a streamed response',
    );
    expect(failureOf(recordings.map((recording) => ({ ...recording, wire: 'own-word' })))).to.include('no recording');
    expect(failureOf([recordingOf('cut plain')])).to.include('has:\n  a streamed response');
    expect(failureOf([recordingOf('cut plain'), recordingOf('cut streamed')])).to.equal('');
  });

  it('is the same for the plain and the streamed recording of a case, but for ids', () => {
    const wrong = { ...recordingOf('calls plain'), expected: recordingOf('cut plain').expected ?? 'unread' };
    const [law] = codecLaws(codec, [wrong, recordingOf('calls streamed')]).slice(-1);
    expect(() => law?.run()).to.throw('the expectations of calls plain and calls streamed are of one case, calls');
    const [sound] = codecLaws(codec, [recordingOf('calls plain'), recordingOf('calls streamed')]).slice(-1);
    expect(() => sound?.run()).to.not.throw();
  });
});

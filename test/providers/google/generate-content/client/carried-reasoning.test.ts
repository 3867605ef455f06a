import { expect } from 'chai';
import type { JsonObject, Part } from '../../../../../core/api/index.ts';
import { sealProof, unsealProof, type GenerateEvent } from '../../../../../core/api/codec.ts';
import {
  callStart,
  decodeContents,
  delta,
  end,
  finished,
  partsOf,
  respond,
  start,
  text,
  writeChunks,
} from './harness.ts';

const origin = { provider: 'anthropic', family: 'claude' };
const proof = { origin, value: 'SIG' };
const thought: Part = { type: 'reasoning', text: 'First.', proof };
const hidden: Part = {
  type: 'reasoning',
  text: '',
  redacted: true,
  proof: { origin, value: 'DATA', redacted: true },
};
const said: Part = { type: 'text', text: 'Checking.' };
const callOf = (id: string): Part => ({ type: 'tool-call', id, name: 'f', kind: 'function', input: '{}' });
const respondWith = (...parts: readonly Part[]): readonly JsonObject[] =>
  partsOf([respond({ choices: [{ parts, finish: { reason: 'tool_calls' } }] })]);

const isThought = (part: JsonObject): boolean => part['thought'] === true;
/** The parts of the model's turn, as the gateway reads them when the client sends these back. */
const readBack = (...contents: readonly (readonly JsonObject[])[]): readonly Part[] =>
  decodeContents({ role: 'user', parts: [{ text: 'hi' }] }, ...contents.map((parts) => ({ role: 'model', parts })))
    .turns[1]?.parts ?? [];
const withoutThoughts = (parts: readonly JsonObject[]): readonly JsonObject[] =>
  parts.filter((part) => !isThought(part));
const signatures = (parts: readonly JsonObject[]): readonly boolean[] =>
  parts.filter((part) => 'functionCall' in part).map((part) => typeof part['thoughtSignature'] === 'string');

describe('reasoning that the signature of a call carries', () => {
  const response = [thought, hidden, said, callOf('a'), callOf('b')];

  it('reasoning before a call is restored for a client that leaves out thoughts', () => {
    const written = respondWith(...response);
    expect(signatures(written)).to.deep.equal([true, false]);
    expect(readBack(withoutThoughts(written))).to.deep.equal(response);
  });

  it('reasoning that the client sent back is not repeated', () => {
    const written = respondWith(...response);
    expect(readBack(written)).to.deep.equal(response);
    expect(readBack(...written.map((part) => [part]))).to.deep.equal(response);
    const unsigned = written.map((part) => (isThought(part) ? { text: part['text'], thought: true } : part));
    expect(readBack(unsigned)).to.deep.equal(response);
  });

  it('reasoning between calls stays between them', () => {
    const later: Part = { type: 'reasoning', text: 'Then.', proof: { origin, value: 'SIG-2' } };
    const parts = [thought, callOf('a'), later, said, callOf('b')];
    expect(readBack(withoutThoughts(respondWith(...parts)))).to.deep.equal(parts);
  });

  it('reasoning keeps its place before texts that the client has joined', () => {
    const written = withoutThoughts(respondWith(thought, said, { type: 'text', text: ' Wait.' }, callOf('a')));
    const [first, second, call] = written;
    const joined = { text: `${String(first?.['text'])}${String(second?.['text'])}` };
    expect(readBack([joined, call ?? {}])).to.deep.equal([
      thought,
      { type: 'text', text: 'Checking. Wait.' },
      callOf('a'),
    ]);
  });

  it('a call that its vendor signs keeps its own signature, and carries nothing', () => {
    const own = { origin, value: 'OWN' };
    const call: Part = { ...(callOf('a') as Part & { readonly type: 'tool-call' }), proof: own };
    const written = withoutThoughts(respondWith(thought, call, callOf('b')));
    expect(signatures(written)).to.deep.equal([true, false]);
    expect(readBack(written)).to.deep.equal([call, callOf('b')]);
  });

  it('reasoning without a proof is not carried', () => {
    const written = respondWith({ type: 'reasoning', text: 'Unsigned.' }, callOf('a'));
    expect(signatures(written)).to.deep.equal([false]);
  });

  it('a stream carries the same reasoning, in chunks of any size', () => {
    const reasoning: readonly GenerateEvent[] = [
      { type: 'part-start', choice: 0, part: 0, kind: 'reasoning' },
      delta(0, 'Fir'),
      delta(0, 'st.'),
      { type: 'part-end', choice: 0, part: 0, proof },
    ];
    const chunks = writeChunks([
      start,
      ...reasoning,
      ...text(1, 'Check', 'ing.'),
      callStart(2, 'a', 'f'),
      end(2),
      ...finished('tool_calls'),
    ]);
    const contents = chunks.map((chunk) => withoutThoughts(partsOf([chunk]))).filter((parts) => parts.length > 0);
    expect(readBack(...contents)).to.deep.equal([thought, said, callOf('a')]);
  });

  it('a signature that was altered carries nothing and is no proof', () => {
    for (const value of ['reasoning:{', 'reasoning:{}', 'reasoning:[{"text":"x"},7]'])
      expect(
        readBack([
          {
            functionCall: { id: 'a', name: 'f', args: {} },
            thoughtSignature: sealProof({ origin, value }),
          },
        ]),
      ).to.deep.equal([callOf('a')]);
  });

  it('the signature names the provider that made the reasoning', () => {
    const [call] = withoutThoughts(respondWith(thought, callOf('a')));
    expect(unsealProof(String(call?.['thoughtSignature'])).origin).to.deep.equal(origin);
  });
});

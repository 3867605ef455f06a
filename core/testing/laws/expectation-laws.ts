import type { AnyCodec } from '../../api/codec.ts';
import { expectNone, expectSame, type Check } from '../check.ts';
import { isRecognised } from '../expectation.ts';
import type { Expectation, ExpectedChoice, Recording } from '../recording.ts';

/**
 * What is decoded of a recording is what its expectation says.
 * @throws Error that has the expectation to read and to add, if there is none
 */
export function expectRecorded({ name, expected }: Recording, decoded: Expectation): void {
  if (expected === 'unread') return;
  if (!isRecognised(expected ?? decoded))
    throw new Error(
      `Nothing is recognised in ${name}: no text, no call, no usage, no error. Either the codec does not read the ` +
        'response, or its streams have another framing: pass { framing }.',
    );
  if (expected === undefined)
    throw new Error(
      `${name} has no expectation. Read the response, correct what is wrong here, and add it to the recording:\n` +
        `"expected": ${JSON.stringify(decoded, undefined, 2)}`,
    );
  expectSame(decoded, expected, `what is decoded of ${name} is not what its 'expected' says`);
}

/** Without a recording of its wire, nothing that a codec reads is compared with anything. */
export const presenceLaws = (codec: AnyCodec, recordings: readonly Recording[]): Check[] => {
  if (codec.upstream === undefined) return [];
  const readsStreams = codec.operation === 'generate' && codec.upstream.decodeStream !== undefined;
  const has = (...members: readonly ('body' | 'text' | 'file')[]): boolean =>
    recordings.some(
      ({ response }) => response !== undefined && response.status < 400 && members.some((member) => member in response),
    );
  const run = (): void =>
    expectNone(
      [
        ...(has('body', 'file') ? [] : ['a plain response']),
        ...(has('text') || !readsStreams ? [] : ['a streamed response']),
      ],
      `no recording of the wire ${codec.wire} has`,
    );
  return [{ name: `${codec.wire}: responses are recorded`, run }];
};

/** A server gives each answer new ids and proofs. */
const withoutIds = ({ parts, finish }: ExpectedChoice): unknown => ({
  finish,
  parts: parts.map(({ id: _id, proof: _proof, ...part }) => part),
});

/** Plain and streamed recordings of one case say the same: a check of what was accepted, without the codec. */
export const caseLaws = (wire: string, recordings: readonly Recording[]): Check[] => {
  const pairs = [...Map.groupBy(recordings, ({ case: name }) => name)].filter(
    ([name, members]) => name !== undefined && members.length > 1,
  );
  const run = (): void => {
    for (const [name, members] of pairs) {
      const said = members.flatMap(({ expected }) => (typeof expected === 'object' ? [expected] : []));
      for (const other of said)
        expectSame(
          { choices: other.choices?.map(withoutIds), usage: other.usage },
          { choices: said[0]?.choices?.map(withoutIds), usage: said[0]?.usage },
          `the expectations of ${members.map((member) => member.name).join(' and ')} are of one case, ${name}`,
        );
    }
  };
  return pairs.length === 0 ? [] : [{ name: `${wire}: recordings of one case are expected to say the same`, run }];
};

import { expect } from 'chai';
import type { Expectation, Recording } from '../../core/testing/index.ts';
import type { Answer } from '../corpus/answers/answer.ts';
import { readRecordedChat } from '../corpus/answers/chat-answer.ts';
import { differenceOf } from '../corpus/answers/expected-answer.ts';
import { readRecordedGoogle } from '../corpus/answers/google-answer.ts';
import { readRecordedMessage } from '../corpus/answers/messages-answer.ts';
import { readRecordedResponse } from '../corpus/answers/responses-answer.ts';
import type { CorpusLine } from '../corpus/lines.ts';
import { recordings } from './recordings.ts';

const readers: Readonly<Record<string, (line: CorpusLine) => Answer>> = {
  'chat-completions': readRecordedChat,
  'messages': readRecordedMessage,
  'responses': readRecordedResponse,
  'generate-content': readRecordedGoogle,
};

const lineOf = ({ name, response }: Recording): CorpusLine =>
  ({
    id: name,
    response: { status: 200, headers: {}, body: response?.body, sse: response?.text },
  }) as unknown as CorpusLine;

describe("what the project's recordings are expected to say", () => {
  const answered = recordings.filter(
    ({ wire, response, expected }) =>
      wire in readers && response?.status === 200 && (expected as Expectation).error === undefined,
  );

  it('is what a reader finds in them that uses no code of the gateway', () => {
    expect(answered).to.have.lengthOf.above(150);
    const differences = answered.flatMap((recording) => {
      const difference = differenceOf(recording.expected as Expectation, readers[recording.wire]!(lineOf(recording)));
      return difference === undefined ? [] : [`${recording.name}: ${difference}`];
    });
    expect(differences).to.deep.equal([]);
  });

  it('has the ids of the calls, the name of the model and the words of errors as they stand there', () => {
    const missing = recordings.flatMap(({ name, response, expected }) => {
      if (response === undefined || typeof expected !== 'object') return [];
      const written = response.text ?? JSON.stringify(response.body);
      const { model, choices = [], error } = expected;
      const ids = choices.flatMap(({ parts }) =>
        parts.flatMap(({ type, id }) => (type === 'tool-call' && !/^call_\d+_\d+$/.test(String(id)) ? [id] : [])),
      );
      return [...ids, model, error?.message]
        .filter((value) => value !== undefined && !written.includes(JSON.stringify(value).slice(1, -1)))
        .map((value) => `${name}: ${String(value)}`);
    });
    expect(missing).to.deep.equal([]);
  });
});

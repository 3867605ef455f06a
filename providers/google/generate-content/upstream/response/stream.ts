import {
  createEventDecoder,
  isObject,
  type Lose,
  parseExactJson,
  type EventDecoder,
  type ReadContext,
} from '../../../../../core/api/codec.ts';
import { malformedChunk } from './error.ts';
import { ResponseReader } from './response-reader.ts';
import { citedMembers } from './response.ts';

/** Stream events cannot hold extra members. */
const loseExtra = ({ extra, candidates }: ResponseReader, lose: Lose): void => {
  for (const name of Object.keys(extra)) lose(name, 'dropped', 'translated streams do not have it');
  for (const [index, candidate] of candidates)
    for (const name of Object.keys(candidate.extra)) {
      const field = `candidates[${index}].${name}`;
      if (citedMembers.includes(name)) lose(field, 'approximated', 'translated streams have only its citations');
      else lose(field, 'dropped', 'translated streams do not have it');
    }
};

/**
 * Decodes the stream of this wire. The wire has no terminal event: a stream is complete when its bytes end and every
 * candidate has a finish reason.
 * https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 */
export const decodeStream = (context: ReadContext): EventDecoder =>
  createEventDecoder((events) => {
    const reader = new ResponseReader(context, events);
    return {
      push: ({ data }) => {
        if (data === '[DONE]') return;
        const chunk = parseExactJson(data);
        if (!isObject(chunk)) throw malformedChunk();
        reader.read(chunk);
      },
      end: () => {
        if (!reader.finished) return;
        loseExtra(reader, context.lose);
        for (const [index, { length }] of reader.end()) {
          const field = `candidates[${index}].groundingMetadata`;
          if (length > 0) context.lose(field, 'approximated', 'some citations arrived after their text had ended');
        }
      },
    };
  });

import {
  isObject,
  parseExactJson,
  type EmitEvent,
  type EventDecoder,
  type GatewayError,
  type ReadContext,
} from '../../../../../core/index.ts';
import { createAnswerReader } from './answer.ts';
import { malformed, truncated } from './failure.ts';

/** What a stream's events have no room for. Grounding and quotations go on as citations, the rest of them is lost. */
const isCited = (name: string): boolean => name === 'groundingMetadata' || name === 'citationMetadata';

/**
 * The stream of this wire as events. It has no terminal: it is complete when it is over and every candidate has told why it ended.
 * https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 */
export function decodeStream(context: ReadContext): EventDecoder {
  const reader = createAnswerReader(context);
  let over = false;

  const fail = (error: GatewayError, emit: EmitEvent): void => {
    over = true;
    emit({ type: 'error', error });
  };
  const nameLosses = (): void => {
    for (const [index, { extra }] of reader.candidates) {
      for (const name of Object.keys(extra)) {
        if (isCited(name))
          context.lose(
            `candidates[${index}].${name}`,
            'approximated',
            'only its citations are carried in translated streams',
          );
        else context.lose(`candidates[${index}].${name}`, 'dropped', 'not carried in translated streams');
      }
    }
  };

  return {
    push: (frame, emit) => {
      if (over || frame.data === '' || frame.data === '[DONE]') return;
      const chunk = parseExactJson(frame.data);
      const error = isObject(chunk) ? reader.read(chunk, emit) : malformed();
      if (error !== undefined) fail(error, emit);
    },
    end: (emit) => {
      if (over) return;
      if (!reader.finished) {
        fail(truncated(), emit);
        return;
      }
      over = true;
      nameLosses();
      const late = reader.end(emit);
      for (const [index, citations] of late) {
        if (citations.length > 0)
          context.lose(
            `candidates[${index}].groundingMetadata`,
            'dropped',
            'citations of a text that was over when they came',
          );
      }
    },
  };
}

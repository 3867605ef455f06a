import type { JsonObject } from '../../../../../core/api/index.ts';
import {
  createEventDecoder,
  type EventDecoder,
  type Frame,
  isObject,
  lookUp,
  loseUnread,
  malformedFrame,
  parseExactJson,
  type ReadContext,
  readObject,
  readText,
} from '../../../../../core/api/codec.ts';
import { decodeEmbeddedError, hasError } from './error.ts';
import { InteractionReader } from './interaction-reader.ts';
import { interactionMembers } from './response.ts';

/** The data of the frame after the last event. */
export const DONE = '[DONE]';

/** The type of an event: a member of its data, else the `event:` line. */
export const typeOf = (event: Readonly<JsonObject>, frame: Frame): string =>
  readText(event['event_type']) || (frame.event ?? '');

const indexOf = ({ index }: Readonly<JsonObject>): number => (typeof index === 'number' ? index : 0);

type Handle = (event: JsonObject, reader: InteractionReader, context: ReadContext) => void;

/** https://ai.google.dev/gemini-api/docs/interactions/streaming. Unknown events are skipped. */
const handlers: Readonly<Record<string, Handle>> = {
  'interaction.created': ({ interaction }, reader) => reader.start(readObject(interaction)),
  'step.start': (event, reader) => reader.startStep(indexOf(event), readObject(event['step'])),
  'step.delta': (event, reader) => reader.delta(indexOf(event), readObject(event['delta'])),
  'step.stop': (event, reader) => reader.stopStep(indexOf(event)),
  'interaction.completed': ({ interaction: final }, reader, { lose }) => {
    const interaction = readObject(final);
    loseUnread(interaction, interactionMembers, lose);
    reader.finish(interaction);
  },
  'error': (event) => {
    throw decodeEmbeddedError(event);
  },
};

/** Decodes the stream of this wire, which `interaction.completed` ends. */
export const decodeStream = (context: ReadContext): EventDecoder =>
  createEventDecoder((events) => {
    const reader = new InteractionReader(context, events);
    return {
      push: (frame) => {
        if (frame.data === DONE) return;
        const event = parseExactJson(frame.data);
        if (!isObject(event)) throw malformedFrame();
        const type = typeOf(event, frame);
        if (type === '' && hasError(event)) throw decodeEmbeddedError(event);
        lookUp(handlers, type)?.(event, reader, context);
      },
    };
  });

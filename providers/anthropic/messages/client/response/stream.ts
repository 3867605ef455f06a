import {
  createPartQueue,
  type EventEncoder,
  type Finish,
  type GenerateEvent,
  omitUndefined,
  type PartEvent,
  type Usage,
  type WriteContext,
  type WriteFrame,
} from '../../../../../core/index.ts';
import { writeFinish } from '../../finish-reason.ts';
import type { Write } from '../../shape.ts';
import { writeUsage } from '../../usage.ts';
import { createBlockStream } from './block-stream.ts';
import { composeError } from './error.ts';
import { chooseId } from './response.ts';

type Handlers = { readonly [T in GenerateEvent['type']]?: (event: Extract<GenerateEvent, { type: T }>) => void };

/**
 * Events as the wire's stream: message_start, blocks one after the other, message_delta, message_stop. No `[DONE]`.
 * message_start waits for the first block, so that it can carry the input's usage where the provider tells it early.
 * https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export function encodeStream(context: WriteContext): EventEncoder {
  let writeFrame: WriteFrame = () => {};
  let head: { readonly id?: string; readonly model?: string } = {};
  let usage: Usage | undefined;
  let finish: Finish = { reason: 'stop' };
  let started = false;

  const write: Write = (event, data) => writeFrame(event, JSON.stringify(data));
  const start = (): void => {
    if (started) return;
    started = true;
    const message = {
      id: chooseId(head.id, context.newId),
      type: 'message',
      role: 'assistant',
      model: head.model ?? '',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: writeUsage(usage, context.inputEstimate),
    };
    write('message_start', { type: 'message_start', message });
  };
  const queue = createPartQueue(createBlockStream(write, context.lose, context.request.reasoning?.show !== false));
  const pass = (event: PartEvent): void => {
    if (event.choice !== 0) return;
    start();
    queue(event);
  };

  const handlers: Handlers = {
    'response-start': ({ id, model }) => {
      head = omitUndefined({ id, model });
    },
    'part-start': pass,
    'part-delta': pass,
    'part-end': pass,
    'choice-end': (event) => {
      if (event.choice === 0) ({ finish } = event);
    },
    usage: (event) => {
      ({ usage } = event);
    },
    'response-end': () => {
      start();
      write('message_delta', {
        type: 'message_delta',
        delta: writeFinish(finish),
        usage: writeUsage(usage, context.inputEstimate),
      });
      write('message_stop', { type: 'message_stop' });
    },
    // Nothing is closed first: a client that saw a block or the message end would run a call that was cut off.
    error: ({ error }) => write('error', composeError(error)),
  };
  const handle = <T extends GenerateEvent['type']>(event: Extract<GenerateEvent, { type: T }>): void =>
    handlers[event.type as T]?.(event);

  return {
    push: (event, frame) => {
      writeFrame = frame;
      handle(event);
    },
  };
}

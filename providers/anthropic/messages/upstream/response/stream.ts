import {
  createKeptLimit,
  emptyAnswer,
  GatewayError,
  isObject,
  KEPT_ENTRY,
  lookUp,
  parseJson,
  type EmitEvent,
  type EventDecoder,
  type Finish,
  type JsonObject,
  type ReadContext,
} from '../../../../../core/index.ts';
import { readFinish } from '../../finish-reason.ts';
import { mergeUsage, readUsage } from '../../usage.ts';
import { decodeErrorBody } from './error.ts';
import { openBlock, type OpenBlock } from './open-block.ts';
import { shownMembers, showsBlock } from './shows.ts';

export const malformed = (): GatewayError =>
  new GatewayError('upstream_bad_response', 'The provider sent an event that is not a JSON object.');

type Handler = (event: JsonObject, emit: EmitEvent) => void;

/** Which block a delta without a block belongs to: some vendors of this wire leave out the start. */
const blockOfDelta: Readonly<Record<string, JsonObject>> = {
  text_delta: { type: 'text' },
  thinking_delta: { type: 'thinking' },
};

/**
 * The stream of this wire as events. Pings, unknown events and unknown deltas pass unseen; `message_delta` may come twice, and usage in both
 * places. A stream that ends without `message_stop` is an error.
 * https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export function decodeStream(context: ReadContext): EventDecoder {
  const open = new Map<number, OpenBlock>();
  const keep = createKeptLimit();
  let parts = 0;
  let started = false;
  let over = false;
  let usage: JsonObject = {};
  let shown = false;
  let finish: Finish | undefined;

  const begin = (emit: EmitEvent, { id, model }: JsonObject = {}): void => {
    if (started) return;
    started = true;
    emit({
      type: 'response-start',
      ...(typeof id === 'string' ? { id } : {}),
      ...(typeof model === 'string' ? { model } : {}),
    });
  };
  const start = (index: number, block: JsonObject, emit: EmitEvent): OpenBlock => {
    begin(emit);
    open.get(index)?.stop(emit);
    keep(KEPT_ENTRY);
    shown ||= showsBlock(block);
    const opened = openBlock(block, { part: parts, index, context, keep }, emit);
    parts += 1;
    open.set(index, opened);
    return opened;
  };
  const stop = (index: number, emit: EmitEvent): void => {
    open.get(index)?.stop(emit);
    open.delete(index);
  };
  const count = (figures: unknown, emit: EmitEvent): void => {
    if (!isObject(figures)) return;
    begin(emit);
    usage = mergeUsage(usage, figures);
    emit({ type: 'usage', usage: readUsage(usage) });
  };
  const conclude = (members: JsonObject): void => {
    if (typeof members['stop_reason'] === 'string') finish = readFinish(members);
  };
  const indexOf = ({ index }: JsonObject): number => (typeof index === 'number' ? index : 0);

  const handlers: Readonly<Record<string, Handler>> = {
    message_start: ({ message }, emit) => {
      if (started || !isObject(message)) return;
      begin(emit, message);
      const { content, usage: figures } = message;
      count(figures, emit);
      conclude(message);
      // An answer that goes on where a server tool had paused may come whole in its start.
      if (Array.isArray(content))
        content.filter(isObject).forEach((block, index) => start(index, block, emit).stop(emit));
      open.clear();
    },
    content_block_start: (event, emit) => {
      if (isObject(event['content_block'])) start(indexOf(event), event['content_block'], emit);
    },
    content_block_delta: (event, emit) => {
      const { delta } = event;
      if (!isObject(delta)) return;
      const missing = typeof delta['type'] === 'string' ? lookUp(blockOfDelta, delta['type']) : undefined;
      const block =
        open.get(indexOf(event)) ?? (missing === undefined ? undefined : start(indexOf(event), missing, emit));
      shown ||= block !== undefined && shownMembers(delta).length > 0;
      block?.delta(delta, emit);
    },
    content_block_stop: (event, emit) => stop(indexOf(event), emit),
    message_delta: ({ delta, usage: figures }, emit) => {
      if (isObject(delta)) conclude(delta);
      count(figures, emit);
    },
    message_stop: (_event, emit) => {
      over = true;
      if (!shown && finish === undefined) {
        emit({ type: 'error', error: emptyAnswer() });
        return;
      }
      begin(emit);
      for (const index of open.keys()) stop(index, emit);
      emit({ type: 'choice-end', choice: 0, finish: finish ?? { reason: 'stop' } });
      emit({ type: 'response-end' });
    },
    error: (event, emit) => {
      over = true;
      emit({ type: 'error', error: decodeErrorBody(event) });
    },
  };

  return {
    push: (frame, emit) => {
      if (over || frame.data === '' || frame.data === '[DONE]') return;
      const event = parseJson(frame.data);
      if (!isObject(event)) {
        over = true;
        emit({ type: 'error', error: malformed() });
        return;
      }
      const type = typeof event['type'] === 'string' ? event['type'] : (frame.event ?? '');
      lookUp(handlers, type)?.(event, emit);
    },
    end: (emit) => {
      if (over) return;
      over = true;
      emit({ type: 'error', error: new GatewayError('upstream_truncated') });
    },
  };
}

import type { PartStart } from '../../canonical/event.ts';
import { createBufferLimit } from '../../canonical/buffer-limit.ts';
import { isObject } from '../../canonical/json/members.ts';
import type { EventFilter } from '../../contracts/codec.ts';
import { parseJson } from '../../framing/json.ts';

/** The text in `{"input": "…"}`; the JSON itself if the model wrote something else. */
const unwrapInput = (json: string): string => {
  const parsed = parseJson(json);
  return isObject(parsed) && typeof parsed['input'] === 'string' ? parsed['input'] : json;
};

const keyOf = ({ choice, part }: { readonly choice: number; readonly part: number }): string => `${choice}/${part}`;

/**
 * Turns calls of the named functions back into custom calls. Their JSON is buffered until the part ends, because a
 * piece of a JSON string is not a piece of its text. An incomplete call is not sent, so that no client executes it.
 */
export function unwrapCustomCalls(names: ReadonlySet<string>): EventFilter {
  const held = new Map<string, string>();
  const keep = createBufferLimit();
  const begin = (event: PartStart): PartStart => {
    if (event.call === undefined || !names.has(event.call.name)) return event;
    held.set(keyOf(event), '');
    return { ...event, call: { ...event.call, kind: 'custom' } };
  };
  return {
    push(event, emit) {
      if (event.type === 'part-start') return emit(begin(event));
      if (held.size === 0 || (event.type !== 'part-delta' && event.type !== 'part-end')) return emit(event);
      const key = keyOf(event);
      const json = held.get(key);
      if (json === undefined) return emit(event);
      if (event.type === 'part-delta') {
        keep(event.text.length);
        held.set(key, json + event.text);
        return undefined;
      }
      held.delete(key);
      const text = unwrapInput(json);
      if (text !== '') emit({ type: 'part-delta', choice: event.choice, part: event.part, text });
      return emit(event);
    },
  };
}

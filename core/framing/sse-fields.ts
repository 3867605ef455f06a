/**
 * The fields of one block of a server-sent event stream. `id` and `retry` are not needed; they stay in the frame's
 * bytes.
 */
export interface SseFields {
  readonly event: string | undefined;
  readonly data: string;
}

const COLON = 58;
const SPACE = 32;

/** Whether the field's name ends at `colon`. A line without a colon is a name with an empty value. */
const endsName = (text: string, colon: number, end: number): boolean =>
  colon === end || (colon < end && text.charCodeAt(colon) === COLON);

/** The value after `colon`, without one leading space. */
const readValue = (text: string, colon: number, end: number): string =>
  colon === end ? '' : text.slice(text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1, end);

/**
 * Reads the fields of a block whose lines end in LF. A block without data has no event name either: it is not an event.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function readSseFields(text: string): SseFields {
  let event: string | undefined;
  let data: string | undefined;
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    if (text.startsWith('data', start) && endsName(text, start + 4, end)) {
      const value = readValue(text, start + 4, end);
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (text.startsWith('event', start) && endsName(text, start + 5, end)) {
      event = readValue(text, start + 5, end);
    }
    start = end + 1;
  }
  if (data === undefined || data === '') return { event: undefined, data: '' };
  return { event: event === '' ? undefined : event, data };
}

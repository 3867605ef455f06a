import { EventStreamCodec } from '@smithy/eventstream-codec';

/** One event of a stream, before it is framed. */
export interface WrittenEvent {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: unknown;
}

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => Buffer.from(text, 'utf8'),
);

/** Frames events as the vendor does. */
export const writeEvents = (events: readonly WrittenEvent[]): Buffer =>
  Buffer.concat(
    events.map(({ headers, payload }) =>
      codec.encode({
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, { type: 'string' as const, value }]),
        ),
        body: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)),
      }),
    ),
  );

export const event = (type: string, payload: unknown): WrittenEvent => ({
  headers: { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' },
  payload,
});

export const exception = (type: string, message: string): WrittenEvent => ({
  headers: { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' },
  payload: { message },
});

/** An event of the messages wire as InvokeModelWithResponseStream sends it, with its padding. */
export const chunk = (message: unknown): WrittenEvent =>
  event('chunk', { bytes: Buffer.from(JSON.stringify(message)).toString('base64'), p: 'abcdef' });

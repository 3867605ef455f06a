import { invalidRequest } from '../../../../../core/api/index.ts';
import { layoutOf } from '../../../../../core/api/internal.ts';
import { invalidMember } from '../../../request-members.ts';

/** Members of a message that a request by HTTP does not have, or that the socket sets itself. */
const OF_SOCKET: ReadonlySet<string> = new Set(['type', 'stream_id', 'generate', 'stream']);
const CREATE = 'response.create';
/** Each event repeats it. */
const MAX_STREAM_ID = 128;
/** The deepest body that the gateway reads. */
const MAX_DEPTH = 128;

/** @throws GatewayError 400 */
export const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest('', 'The message is not valid JSON.');
  }
};

/**
 * A `response.create` message. Its members are read as bytes: the body is parsed once, with all checks, when its
 * request is served. https://developers.openai.com/api/docs/guides/websocket-mode
 */
export class CreateMessage {
  /** The text of the value of each member; of a repeated member the last one. */
  readonly #values = new Map<string, string>();

  /** @throws GatewayError for a message that is not a request */
  constructor(bytes: Buffer) {
    const { members, close, depth } = layoutOf(bytes);
    if (close === -1 || depth > MAX_DEPTH)
      throw invalidRequest('', 'A message must be a JSON object, with no more values and levels than a body can have.');
    for (const { name, valueStart, end } of members) {
      if (this.#values.has(name)) throw invalidRequest(name.slice(0, 128), 'A member occurs twice.');
      this.#values.set(name, bytes.toString('utf8', valueStart, end));
    }
    const type = this.text('type');
    if (type !== CREATE)
      throw invalidRequest('type', `The gateway serves messages of the type '${CREATE}' only. Send one.`);
    const stream = this.text('stream_id');
    if (this.has('stream_id') && (stream === undefined || stream.length > MAX_STREAM_ID))
      throw invalidMember('stream_id', `must be a string of at most ${MAX_STREAM_ID} characters.`);
    if (this.#values.get('background') === 'true')
      throw invalidRequest('background', 'A response in the background cannot be created over a socket; use HTTP.');
  }

  /** The value of a member that is a string; undefined if it is none. */
  text(name: string): string | undefined {
    const value = this.#values.get(name);
    return value?.startsWith('"') === true ? (parseText(value) as string) : undefined;
  }

  has(name: string): boolean {
    const value = this.#values.get(name);
    return value !== undefined && value !== 'null';
  }

  is(name: string, literal: 'true' | 'false'): boolean {
    return this.#values.get(name) === literal;
  }

  /** The items of `input`, without the brackets of the list. */
  get items(): string {
    const input = this.#values.get('input')?.trim() ?? '';
    if (input.startsWith('[')) return input.slice(1, -1).trim();
    return input.startsWith('"') ? `{"type":"message","role":"user","content":${input}}` : '';
  }

  /** The body of the same request by HTTP. @param items of the whole conversation, in place of those of the message */
  body(items?: string): Buffer {
    const kept = [...this.#values].filter(
      ([name]) =>
        !OF_SOCKET.has(name) && (items === undefined || (name !== 'input' && name !== 'previous_response_id')),
    );
    const members = kept.map(([name, value]) => `${JSON.stringify(name)}:${value}`);
    if (items !== undefined) members.push(`"input":[${items}]`);
    return Buffer.from(`{${[...members, '"stream":true'].join(',')}}`);
  }
}

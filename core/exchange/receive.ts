import { isUtf8 } from 'node:buffer';
import type { InboundRequest } from '../contracts/codec.ts';
import { invalidRequest } from '../errors.ts';
import { parseDigits } from '../framing/exact-json.ts';
import { MAX_DEPTH } from '../framing/json-layout.ts';
import { layoutOf } from '../framing/layout-of.ts';

/** A path longer than this says no more. */
const PATH_LENGTH = 128;

/** Where a text stops being JSON. V8 quotes a piece of it in its message: only the position is taken, so that no prompt reaches a log. */
const describePlace = (thrown: unknown): string => {
  const message = thrown instanceof Error ? thrown.message : '';
  if (message.startsWith('Unexpected end')) return ': it ends too early';
  const position = /position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0];
  return position === undefined ? '' : ` (at ${position})`;
};

const textOf = (raw: Uint8Array): string => Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('utf8');

const parse = (raw: Uint8Array): unknown => {
  if (raw.byteLength === 0) throw invalidRequest('', 'The body is empty; send a JSON object.');
  if (!isUtf8(raw)) throw invalidRequest('', 'The body is not valid UTF-8.');
  try {
    return JSON.parse(textOf(raw)) as unknown;
  } catch (thrown) {
    throw invalidRequest('', `The body is not valid JSON${describePlace(thrown)}.`);
  }
};

/**
 * The body as JSON, checked for what no codec should have to think of: encoding, nesting, keys that could poison a prototype,
 * and a `model` given twice, of which two readers could believe different ones.
 * @param longNumbers integers beyond 2^53: `kept` as RawNumber for bodies that are sent on, `rounded` for those that only the gateway reads
 * @throws GatewayError 400
 */
export const receiveJson = (raw: Uint8Array, longNumbers: 'kept' | 'rounded' = 'kept'): unknown => {
  const body = parse(raw);
  const layout = layoutOf(raw);
  if (layout.depth > MAX_DEPTH) throw invalidRequest('', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  if (layout.protoPath !== undefined) {
    const path = layout.protoPath.slice(-PATH_LENGTH);
    throw invalidRequest(path, `The key '${path}' is not allowed: '__proto__' may not be a key anywhere in the body.`);
  }
  // A reader that ignores case would take the other one.
  if (layout.members.filter(({ name }) => name.toLowerCase() === 'model').length > 1) throw invalidRequest('model', "'model' stands in the body more than once.");
  // Arguments of calls and schemas are written anew on their way to another wire: a rounded id would be another id.
  return layout.hasLongNumber && longNumbers === 'kept' ? parseDigits(textOf(raw)) : body;
};

/** The inbound request that codecs read. */
export const createInbound = (raw: Uint8Array, rest: Omit<InboundRequest, 'raw' | 'body'>): InboundRequest => ({ raw, body: receiveJson(raw), ...rest });


import { isUtf8 } from 'node:buffer';
import type { Spelling } from '../../contracts/request-members.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { parseMarked } from '../../framing/exact-json.ts';
import { MAX_DEPTH, type JsonLayout } from '../../framing/json-layout.ts';
import { describeExcess, layoutOf } from '../../framing/layout-of.ts';
import type { BodyMeter } from '../client-connection.ts';
import { checkMembers } from './check-members.ts';

/** Characters of a path that a message quotes. */
const PATH_LENGTH = 128;

/** The position of a syntax error. V8's message quotes the text too, which must not reach a log. */
const describePosition = (thrown: unknown): string => {
  const message = thrown instanceof Error ? thrown.message : '';
  if (message.startsWith('Unexpected end')) return ': it ends too early';
  if (message.startsWith("Unexpected token '\uFEFF'")) return ': it begins with a byte order mark';
  const position = /position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0];
  return position === undefined ? '' : ` (at ${position})`;
};

/** Called before JSON.parse, which would build the whole value first. */
const checkSize = ({ counts, depth }: JsonLayout): void => {
  const excess = describeExcess(counts);
  if (excess !== undefined) {
    throw new GatewayError(
      'request_too_large',
      `The body holds ${excess}, the most that this gateway reads. Send fewer.`,
    );
  }
  if (depth <= MAX_DEPTH) return;
  const deep = `The body is nested deeper than ${MAX_DEPTH} levels`;
  throw invalidRequest('', `${deep}, or is not valid JSON: its brackets are not closed.`);
};

const parse = (bytes: Buffer, { hasLongNumber, longNumbers }: JsonLayout, keepsDigits: boolean): unknown => {
  try {
    if (hasLongNumber && keepsDigits) return parseMarked(bytes, longNumbers);
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch (thrown) {
    // Marking long integers shifts the text behind them, so the position would be wrong.
    throw invalidRequest('', `The body is not valid JSON${hasLongNumber ? '' : describePosition(thrown)}.`);
  }
};

const refuseProto = (protoPath: string): never => {
  const path = protoPath.slice(-PATH_LENGTH);
  throw invalidRequest(path, `The key '${path}' is not allowed: '__proto__' cannot be a key anywhere in the body.`);
};

/**
 * Parses a body, after the checks that are the same for every codec: encoding, number of values, nesting, `__proto__`
 * keys, and repeated members, which two parsers could read differently. One pass over the bytes finds all of these.
 * @param longNumbers integers beyond 2^53: `kept` as RawNumber for bodies that are sent on, `rounded` for bodies that
 * only the gateway reads
 * @param spelling the members that the wire accepts in its own spelling only
 * @param meter counts what the bytes become
 * @throws GatewayError 400, 413, and errors of the meter
 */
export function receiveJson(
  raw: Uint8Array,
  longNumbers: 'kept' | 'rounded' = 'kept',
  spelling?: Spelling,
  meter?: BodyMeter,
): unknown {
  if (raw.byteLength === 0) throw invalidRequest('', 'The body is empty; send a JSON object.');
  if (!isUtf8(raw)) throw invalidRequest('', 'The body is not valid UTF-8.');
  const layout = layoutOf(raw);
  checkSize(layout);
  meter?.take(0, layout);
  const body = parse(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), layout, longNumbers === 'kept');
  if (layout.protoPath !== undefined) refuseProto(layout.protoPath);
  checkMembers(raw, layout, spelling);
  return body;
}

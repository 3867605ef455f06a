import { GatewayError } from '../errors/gateway-error.ts';
import { findStringEnd } from './json-strings.ts';

const QUOTE = 0x22;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Shorter texts are parsed without a check: they become at most some 30 MB. */
export const CHECKED_FROM = 1_048_576;
/** This many lists, objects and members are accepted at any length, plus one per `BYTES_PER_VALUE` bytes. */
const FREE_VALUES = 200_000;
const BYTES_PER_VALUE = 16;

/**
 * Refuses large JSON that would take a multiple of its size when parsed: `[],[],…` takes 30 times as much.
 * @throws GatewayError `upstream_bad_response`
 */
export function checkJsonDensity(text: Buffer): void {
  if (text.byteLength <= CHECKED_FROM) return;
  let values = 0;
  for (let at = 0; at < text.byteLength; at += 1) {
    const byte = text[at] ?? 0;
    if (byte === QUOTE) at = findStringEnd(text, at);
    else if (byte === COLON || byte === BRACKET || byte === BRACE) values += 1;
  }
  if (values <= FREE_VALUES + text.byteLength / BYTES_PER_VALUE) return;
  throw new GatewayError(
    'upstream_bad_response',
    'The provider sent JSON with more lists and objects than a response of its length has.',
  );
}

import type { Exchange, Outcome, Services } from '../../core/api/index.ts';
import { defineTextMembers, foldEvents, isObject } from '../../core/api/codec.ts';
import {
  decodeSent,
  mergeSpans,
  redactTexts,
  sensitiveText,
  type SensitiveKind,
  type Span,
} from '../../core/api/internal.ts';

/** What was kept of an exchange. */
export interface Kept {
  readonly exchange: Exchange;
  readonly outcome: Outcome;
  /** Unix milliseconds. */
  readonly endedAt: number;
  /** What the client got; absent: nothing, or no text. */
  readonly body?: string;
  /** Only the beginning was kept. */
  readonly isCut: boolean;
}

const REDACTED = '[redacted]';

/** Nothing of a record is sent to a vendor, so ids and settings are redacted as texts are. */
const textMembers = defineTextMembers({
  'parts.input': 'json',
  'type': 'text',
  'role': 'text',
  'id': 'text',
  'model': 'text',
  'format': 'text',
  'required': 'text',
});

/**
 * Members without text for a reader: signatures of vendors, and the tokens of a text with their probabilities. Tokens
 * repeat the text in pieces, in which no secret would be found.
 */
const LEFT_OUT = new Set(['proof', 'vendor', 'logprobs']);

/** A copy without these members. Bytes of media are replaced by their length. */
const leaveOut = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(leaveOut);
  if (!isObject(value) || JSON.isRawJSON(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (LEFT_OUT.has(name) || member === undefined) return [];
      const isBytes = name === 'base64' && typeof member === 'string';
      return [[name, isBytes ? `${member.length} characters` : leaveOut(member)]];
    }),
  );
};

/** The response in the same form as the request, whatever its wire. What is cut or broken ends early. */
const readResponse = ({ exchange, outcome, body }: Kept, codec: Services['codec']): unknown => {
  const target = outcome.attempts.findLast(({ committed }) => committed)?.target;
  if (body === undefined || target === undefined || exchange.operation !== 'generate') return undefined;
  const { stream } = exchange.request;
  const sent = stream ? { body, target, framing: exchange.framing } : { body, target };
  const events = decodeSent(codec, exchange, sent) ?? [];
  return foldEvents(events.filter(({ type }) => type !== 'error'));
};

/** Writes the record of an exchange as a line of JSON. */
export function createWriteRecord(kinds: readonly SensitiveKind[], codec: Services['codec']): (kept: Kept) => string {
  const detectors = kinds.map((kind) => sensitiveText[kind]);
  const find = (text: string): readonly Span[] => mergeSpans(detectors.flatMap((detector) => detector.find(text)));
  const redact = (value: unknown): unknown => redactTexts(leaveOut(value), textMembers, find, REDACTED);
  return (kept) => {
    const { exchange, outcome, endedAt, isCut } = kept;
    const { id, caller, route, operation, model, request, attribution } = exchange;
    let response: unknown;
    try {
      response = readResponse(kept, codec);
    } catch {
      // The client got a body that is no response, or its beginning.
    }
    return JSON.stringify({
      time: new Date(endedAt).toISOString(),
      id,
      organization: caller.organization,
      project: caller.project,
      key: caller.key,
      user: attribution?.user,
      tags: attribution?.tags,
      route: route.path,
      wire: route.wire,
      operation,
      model,
      target: outcome.attempts.at(-1)?.target,
      status: outcome.status,
      outcome: outcome.result,
      request: redact(request),
      response: redact(response),
      cut: isCut ? true : undefined,
    });
  };
}

import type { Finish, JsonObject } from '../../../core/api/index.ts';
import { lookUp, readObject, readText } from '../../../core/api/codec.ts';

type Reason = Finish['reason'];

/**
 * A response with calls ends with STOP. Reasons that are not listed are read as `stop`.
 * https://ai.google.dev/api/generate-content#FinishReason
 */
const reasons: Readonly<Record<string, Reason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  MODEL_ARMOR: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
  IMAGE_PROHIBITED_CONTENT: 'content_filter',
  IMAGE_RECITATION: 'content_filter',
  LANGUAGE: 'stop',
  OTHER: 'stop',
  NO_IMAGE: 'stop',
  IMAGE_OTHER: 'stop',
  // Mistakes of the model, which any conversation can provoke: the provider has not failed.
  MALFORMED_FUNCTION_CALL: 'stop',
  UNEXPECTED_TOOL_CALL: 'stop',
  TOO_MANY_TOOL_CALLS: 'stop',
  MISSING_THOUGHT_SIGNATURE: 'stop',
  MALFORMED_RESPONSE: 'stop',
};

/**
 * Reasons by number. Only Vertex AI has been seen to send numbers.
 * https://cloud.google.com/java/docs/reference/google-cloud-aiplatform/latest/com.google.cloud.aiplatform.v1.Candidate.FinishReason
 */
const numbered: readonly string[] = [
  '',
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'MODEL_ARMOR',
];

/** `finishReason` by name; empty while the candidate continues. */
export function readFinishReason(value: unknown): string {
  if (typeof value === 'number') return numbered[value] ?? 'OTHER';
  const wireReason = readText(value);
  return wireReason === 'FINISH_REASON_UNSPECIFIED' ? '' : wireReason;
}

/** Reasons that other wires have as well. */
const ordinary: ReadonlySet<string> = new Set(['', 'STOP']);
/** Whether other wires have no such reason, so that it becomes an ordinary `stop`. */
export const isMappedToStop = (wireReason: string): boolean =>
  !ordinary.has(wireReason) && (lookUp(reasons, wireReason) ?? 'stop') === 'stop';

/**
 * The canonical finish of a candidate.
 * @param wireReason the wire's finish reason; empty if there is none
 * @param message `finishMessage`, the explanation of a filtered response
 */
export function readFinish(
  wireReason: string,
  held: { readonly calls: boolean },
  message: unknown = undefined,
): Finish {
  const mapped = lookUp(reasons, wireReason) ?? 'stop';
  const reason = mapped === 'stop' && held.calls ? 'tool_calls' : mapped;
  const explanation = reason === 'content_filter' ? readText(message) : '';
  return {
    reason,
    ...(explanation === '' ? {} : { explanation }),
    ...(wireReason === '' ? {} : { vendor: wireReason }),
  };
}

/**
 * The finish of a blocked prompt, which has no candidates; `undefined` if the prompt was not blocked.
 * https://ai.google.dev/api/generate-content#PromptFeedback
 */
export function readBlockedPrompt(feedback: unknown): Finish | undefined {
  const { blockReason, blockReasonMessage } = readObject(feedback);
  const wireReason = typeof blockReason === 'number' ? 'SAFETY' : readText(blockReason);
  if (wireReason === '' || wireReason === 'BLOCKED_REASON_UNSPECIFIED' || wireReason === 'BLOCK_REASON_UNSPECIFIED')
    return undefined;
  return {
    reason: 'content_filter',
    explanation: readText(blockReasonMessage) || `The provider blocked the prompt (${wireReason}).`,
    vendor: wireReason,
  };
}

const finishReasons: Readonly<Record<Reason, string>> = {
  stop: 'STOP',
  stop_sequence: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
  refusal: 'SAFETY',
  pause: 'STOP',
  context_overflow: 'MAX_TOKENS',
};

/**
 * `finishReason`, and `finishMessage` for a filtered response. The vendor's own reason is restored if it maps to the
 * same canonical one.
 */
export function writeFinish({ reason, vendor, explanation }: Finish): JsonObject {
  const own = vendor !== undefined && lookUp(reasons, vendor) === reason;
  return {
    finishReason: own ? vendor : finishReasons[reason],
    ...(explanation !== undefined && (reason === 'content_filter' || reason === 'refusal')
      ? { finishMessage: explanation }
      : {}),
  };
}

import { type Finish, type JsonObject, lookUp, readObject, readText } from '../../../core/index.ts';

type Reason = Finish['reason'];

/**
 * There is no word for calls: an answer with calls ends with STOP. A word that is not here means `stop`.
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
  // The model's own doing, which any conversation can provoke: the provider has not failed.
  MALFORMED_FUNCTION_CALL: 'stop',
  UNEXPECTED_TOOL_CALL: 'stop',
  TOO_MANY_TOOL_CALLS: 'stop',
  MISSING_THOUGHT_SIGNATURE: 'stop',
  MALFORMED_RESPONSE: 'stop',
};

/**
 * By the numbers of Vertex AI, the one surface that was seen to answer with numbers.
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

/** `finishReason` as a word; empty while the answer goes on. */
export function readFinishReason(value: unknown): string {
  if (typeof value === 'number') return numbered[value] ?? 'OTHER';
  const word = readText(value);
  return word === 'FINISH_REASON_UNSPECIFIED' ? '' : word;
}

/** Words for an ordinary end. Any other that means `stop` on the wires of others said more here. */
const ordinary: ReadonlySet<string> = new Set(['', 'STOP']);
/** Does another wire have no word for this one? */
export const isMappedToStop = (word: string): boolean =>
  !ordinary.has(word) && (lookUp(reasons, word) ?? 'stop') === 'stop';

/**
 * The reason behind a candidate's word and what the candidate held.
 * @param word empty when the vendor gave none
 * @param message `finishMessage`: explains what was withheld
 */
export function readFinish(word: string, held: { readonly calls: boolean }, message: unknown = undefined): Finish {
  const told = lookUp(reasons, word) ?? 'stop';
  const reason = told === 'stop' && held.calls ? 'tool_calls' : told;
  const explanation = reason === 'content_filter' ? readText(message) : '';
  return { reason, ...(explanation === '' ? {} : { explanation }), ...(word === '' ? {} : { vendor: word }) };
}

/**
 * A prompt that was refused, with no candidate at all; `undefined` when the feedback says nothing of the kind.
 * https://ai.google.dev/api/generate-content#PromptFeedback
 */
export function readBlockedPrompt(feedback: unknown): Finish | undefined {
  const { blockReason, blockReasonMessage } = readObject(feedback);
  const word = typeof blockReason === 'number' ? 'SAFETY' : readText(blockReason);
  if (word === '' || word === 'BLOCKED_REASON_UNSPECIFIED' || word === 'BLOCK_REASON_UNSPECIFIED') return undefined;
  return {
    reason: 'content_filter',
    explanation: readText(blockReasonMessage) || `The provider blocked the prompt (${word}).`,
    vendor: word,
  };
}

const words: Readonly<Record<Reason, string>> = {
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
 * `finishReason`, and `finishMessage` where something was withheld. The vendor's own word comes back where it means
 * the same.
 */
export function writeFinish({ reason, vendor, explanation }: Finish): JsonObject {
  const own = vendor !== undefined && lookUp(reasons, vendor) === reason;
  return {
    finishReason: own ? vendor : words[reason],
    ...(explanation !== undefined && (reason === 'content_filter' || reason === 'refusal')
      ? { finishMessage: explanation }
      : {}),
  };
}

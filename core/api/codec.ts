/**
 * `koine-gateway/codec`: what a provider with a wire of its own needs. Codecs and fits, the stream events of the
 * canonical form, framings, readers of foreign JSON, errors of upstreams.
 */
export * from '../contracts/codec.ts';
export type * from '../contracts/codec-context.ts';
export type { FieldName, FieldNames, TurnPlace, WireTraits } from '../contracts/capabilities.ts';
export * from '../contracts/fit.ts';
export type * from '../contracts/native.ts';
export type * from '../contracts/framing.ts';
export type * from '../canonical/operation/upload.ts';
export {
  defineReferences,
  defineSpelling,
  type KeptReferences,
  type MemberNames,
  type References,
  type Spelling,
  type StoredReference,
  type VendorStatePolicy,
} from '../contracts/request-members.ts';

export { BUFFERED_ENTRY_COST, createBufferLimit, weighLogprobs } from '../canonical/buffer-limit.ts';
export {
  isContent,
  type CallHead,
  type EmitEvent,
  type GenerateEvent,
  type PartDelta,
  type PartEncoder,
  type PartEnd,
  type PartEvent,
  type PartKind,
  type PartStart,
} from '../canonical/event.ts';
export { composeResponse, foldEvents } from '../canonical/fold.ts';
export { base64Bytes, createImageLimit, parseDataUri } from '../canonical/images.ts';
export type { SchemaDialect, SchemaDialects } from '../canonical/schema/dialect.ts';
export { schemaDialects } from '../canonical/schema/dialects.ts';
export { loseUnread, writeExtraMembers, type ExtraMembers } from '../canonical/json/extra-members.ts';
export { defineKnownMembers, type KnownMembers, type KnownNames } from '../canonical/json/known-members.ts';
export {
  isObject,
  ObjectMembers,
  readMembers,
  requireObject,
  type Members,
  type NumberRule,
} from '../canonical/json/members.ts';
export { omitUndefined } from '../canonical/json/omit-undefined.ts';
export { lookUp, readList, readObject, readObjects, readText } from '../canonical/json/read.ts';
export { readLogprob, readLogprobs } from '../canonical/json/read-logprobs.ts';
export { loseLogprobs, type Lose, type Loss, type LossPolicy } from '../canonical/loss.ts';
export { createPartQueue } from '../canonical/part-queue.ts';
export { openSummary, sealProof, sealSummary, unsealProof, type Origin, type Proof } from '../canonical/proof.ts';
export { unfoldResponse } from '../canonical/unfold.ts';
export type { ChoiceWriter } from '../canonical/writer/choice-writer.ts';
export { EventWriter } from '../canonical/writer/event-writer.ts';
export type { PartWriter } from '../canonical/writer/part-writer.ts';
export {
  MIN_BYTES_PER_SECOND,
  OUTPUT_WEIGHT_PER_TOKEN,
  TOKENS_PER_SECOND,
} from '../canonical/operation/transcription.ts';
export { defineTextMembers, type TextMeaning, type TextMembers } from '../canonical/text/text-members.ts';
export { noTokens, readCount, readParts, requireCount } from '../canonical/usage.ts';

export { createLimitReader, type LimitHeaders } from '../dispatch/read-upstream-limits.ts';
export { classifySentence, isModelMissing, type Sentence } from '../dispatch/sentence.ts';
export {
  emptyResponse,
  failureOfStatus,
  malformedBody,
  malformedFrame,
  readErrorMessage,
  upstreamError,
  withoutVendor,
} from '../dispatch/upstream-error.ts';

export { isRawNumber } from '../canonical/json/raw-number.ts';
export { createEventDecoder, type FrameReader } from '../framing/event-decoder.ts';
export { parseExactJson } from '../framing/exact-json.ts';
export { parseJson } from '../framing/json.ts';
export { ndjson } from '../framing/ndjson.ts';
export { sse } from '../framing/sse.ts';
export { createCountTap, createResponseTap } from '../lanes/response-tap.ts';

/// <reference types="node" preserve="true" />

/**
 * The public API of Koine: all that a plugin or a provider imports. Built-ins live by the same rule.
 * Stable within `apiVersion` 1.
 */
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
} from './canonical/event.ts';
export type { EmbedRequest, EmbedResponse } from './canonical/embedding.ts';
export { excerpt } from './canonical/text/redact.ts';
export type { Finish } from './canonical/finish.ts';
export { foldEvents } from './canonical/fold.ts';
export { createBufferLimit, BUFFERED_ENTRY_COST } from './canonical/buffer-limit.ts';
export { createPartQueue } from './canonical/part-queue.ts';
export { unfoldResponse } from './canonical/unfold.ts';
export type { Lose, Loss, LossPolicy } from './canonical/loss.ts';
export type {
  CacheMark,
  Citation,
  Media,
  MediaPart,
  OpaquePart,
  Part,
  ReasoningPart,
  RefusalPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from './canonical/part.ts';
export { sealProof, unsealProof, type Origin, type Proof } from './canonical/proof.ts';
export { promptOf } from './canonical/prompt.ts';
export type { GenerateRequest, OutputFormat, Reasoning, Turn } from './canonical/request.ts';
export type { Choice, GenerateResponse, TokenCount } from './canonical/response.ts';
export { writeExtraMembers, type ExtraMembers } from './canonical/json/extra-members.ts';
export { declareCap } from './canonical/declared-cap.ts';
export { countCodePoints } from './canonical/text/code-points.ts';
export { weighText } from './canonical/text/text-weight.ts';
export { base64Bytes, createImageLimit, imageLimits, parseDataUri } from './canonical/images.ts';
export { findTool } from './canonical/find-tool.ts';
export { lookUp } from './canonical/json/look-up.ts';
export { omitUndefined } from './canonical/json/omit-undefined.ts';
export { readList, readObject, readObjects, readText } from './canonical/json/read.ts';
export {
  isObject,
  ObjectMembers,
  readMembers,
  requireObject,
  type Members,
  type NumberRule,
} from './canonical/json/members.ts';
export type { Tool, ToolChoice } from './canonical/tool.ts';
export { inputTotal, readCount, readParts, requireCount, type Usage } from './canonical/usage.ts';
export type { Headers, JsonObject, Operation, WireName } from './canonical/wire.ts';

export { errorCodes, type ErrorCode, type FailureClass } from './errors/codes.ts';
export {
  describeAccessError,
  GatewayError,
  invalidRequest,
  toGatewayError,
  type ErrorDetails,
  type VendorError,
} from './errors/gateway-error.ts';
export type { LimitFigure, LimitFigures } from './errors/limit-figures.ts';

export type {
  Capabilities,
  CapabilityOverrides,
  FieldName,
  FieldNames,
  ModelFamily,
  TurnPlace,
  WireTraits,
} from './contracts/capabilities.ts';
export type * from './contracts/admin.ts';
export type * from './contracts/attempt.ts';
export type * from './contracts/attempt-record.ts';
export type * from './contracts/caller.ts';
export * from './contracts/codec.ts';
export type * from './contracts/codec-context.ts';
export type * from './contracts/exchange.ts';
export type * from './contracts/extension.ts';
export * from './contracts/fit.ts';
export type * from './contracts/framing.ts';
export type * from './contracts/importer.ts';
export type * from './contracts/native.ts';
export type * from './contracts/outcome.ts';
export * from './contracts/plugin.ts';
export type * from './contracts/price.ts';
export * from './contracts/provider.ts';
export {
  defineReferences,
  defineSpelling,
  foldCase,
  type MemberNames,
  type References,
  type Spelling,
  type VendorStatePolicy,
} from './contracts/request-members.ts';
export type * from './contracts/services.ts';

export { allowsModel } from './catalog/model-pattern.ts';
export { priceUsage, selectRates } from './catalog/price-usage.ts';
export { DURATION_PATTERN, readDuration, formatDuration } from './config/units/duration.ts';
export { overlapsWildcard } from './config/wildcards.ts';
export { readLimits } from './config/validate/read-limits.ts';
export { parseSize, SIZE_PATTERN } from './config/units/size.ts';
export { attemptResult, wasSent } from './outcome/results.ts';
export { hashConversation, hashText } from './exchange/conversation.ts';
export { collectSettingErrors } from './extensions/collect-setting-errors.ts';
export { MAX_CALLS } from './lanes/translated/fan-out.ts';
export { apiKeySchemas, readApiKeys, versionSecret, type ApiKeys, type ApiKeySettings } from './dispatch/api-keys.ts';
export { createLimitReader, type LimitHeaders } from './dispatch/read-upstream-limits.ts';
export { classifySentence, isModelMissing, type Sentence } from './dispatch/sentence.ts';
export {
  emptyResponse,
  failureOfStatus,
  malformedBody,
  malformedFrame,
  readErrorMessage,
  readRetryAfter,
  upstreamError,
} from './dispatch/upstream-error.ts';
export { chooseEffort } from './fits/reasoning/effort.ts';
export { joinTurnPlaces, type SidedPlace } from './fits/support/turn-places.ts';
export { parseExactJson } from './framing/exact-json.ts';
export { FrameTemplate, type Varying } from './framing/frame-template.ts';
export { parseJson } from './framing/json.ts';
export { jsonArray } from './framing/json-array.ts';
export { ndjson } from './framing/ndjson.ts';
export { sse } from './framing/sse.ts';
export { createCountTap, createResponseTap } from './lanes/response-tap.ts';
export { setBounded } from './services/bounded-map.ts';
export { createKeyCache, type KeyCache, type KeyCacheOptions } from './tenancy/key-cache.ts';
export { Timer } from './services/timer.ts';
export { mergeMetrics, retireMetrics } from './services/metrics/merge.ts';
export { formatMetrics, METRICS_CONTENT_TYPE } from './services/metrics/text.ts';
export { readProcessMetrics } from './services/metrics/process.ts';
export { CompiledQuery, openDatabase, sql, type Database } from './services/database/database.ts';
export { dialectOf, type Dialect } from './services/database/dialect.ts';
export type { DatabaseOwner, Migration } from './services/database/migrations.ts';
export { withAdvisoryLock } from './services/database/advisory-lock.ts';

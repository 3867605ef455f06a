/// <reference types="node" preserve="true" />

/**
 * `koine-gateway`: what plugins and providers declare, what their hooks receive, and the errors they throw. Stable
 * within `apiVersion` 1.
 */
export type { EmbedRequest, EmbedResponse } from '../canonical/operation/embedding.ts';
export { readSize, type GeneratedImage, type ImageRequest, type ImageResponse } from '../canonical/operation/image.ts';
export type { ModerateRequest, ModerateResponse, Moderation } from '../canonical/operation/moderation.ts';
export type { Ranked, RerankRequest, RerankResponse } from '../canonical/operation/rerank.ts';
export type { FileBody, SpeakRequest, SpeakResponse } from '../canonical/operation/speech.ts';
export type { TranscribedAudio, TranscribeRequest, TranscribeResponse } from '../canonical/operation/transcription.ts';
export type { Finish } from '../canonical/finish.ts';
export type {
  CacheMark,
  Citation,
  Logprob,
  Media,
  MediaPart,
  OpaquePart,
  Part,
  ReasoningPart,
  RefusalPart,
  SearchCall,
  SearchSource,
  TextPart,
  TokenLogprob,
  ToolCallPart,
  ToolResultPart,
} from '../canonical/part.ts';
export { promptOf } from '../canonical/prompt.ts';
export type { RawNumber } from '../canonical/json/raw-number.ts';
export type { GenerateRequest, OutputFormat, Reasoning, Turn, VendorOnly } from '../canonical/request.ts';
export type { Choice, Compaction, GenerateResponse, TokenCount } from '../canonical/response.ts';
export type { BodyPlace, HostedTool, HostedToolKind, Tool, ToolChoice, WebSearch } from '../canonical/tool.ts';
export { cacheWriteTotal, inputTotal, usageUnits, type Usage, type UsageUnit } from '../canonical/usage.ts';
export type { Headers, JsonObject, Operation, StoredOperation, StoredPath, WireName } from '../canonical/wire.ts';

export type { AnyErrorCode, ErrorCode, FailureClass } from '../errors/codes.ts';
export {
  GatewayError,
  invalidRequest,
  toGatewayError,
  type ErrorDetails,
  type VendorError,
} from '../errors/gateway-error.ts';
export type { LimitFigure, LimitFigures } from '../errors/limit-figures.ts';

export * from '../contracts/plugin.ts';
export * from '../contracts/provider.ts';
export type * from '../contracts/admin.ts';
export type * from '../contracts/attempt.ts';
export type * from '../contracts/attempt-record.ts';
export type * from '../contracts/caller.ts';
export type { AgentBound, Capabilities, CapabilityOverrides, ModelFamily } from '../contracts/capabilities.ts';
export type * from '../contracts/exchange.ts';
export type * from '../contracts/target.ts';
export type * from '../contracts/extension.ts';
export type * from '../contracts/outcome.ts';
export type * from '../contracts/price.ts';
export type * from '../contracts/services.ts';

export { allowsModel } from '../catalog/model-pattern.ts';
export { priceUsage } from '../catalog/price-usage.ts';
export { DURATION_PATTERN, formatDuration, readDuration } from '../config/units/duration.ts';
export { parseSize, SIZE_PATTERN } from '../config/units/size.ts';
export {
  createApiKeySchemas,
  readApiKeys,
  type ApiKeys,
  type ApiKeySettings,
  type PreparedKeys,
} from '../dispatch/credentials/api-keys.ts';
export { createKeyAddress } from '../dispatch/credentials/key-address.ts';
export { createOfferList, type OfferListParts } from '../dispatch/model-list.ts';
export { createStoredCalls } from '../dispatch/stored-calls.ts';
export { hashConversation, hashText } from '../exchange/conversation.ts';
export { createRenewal, type Renewable, type Renewal } from '../extensions/renewal.ts';
export { createRenewedCredential } from '../extensions/renewed-credential.ts';
export type { SecretSource } from '../services/secret-sources/source.ts';

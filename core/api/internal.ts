/**
 * What only the built-in plugins, providers and importers use. The package does not export it, so that it can change in
 * any release.
 */
export { declareCap } from '../canonical/declared-cap.ts';
export { findTool, readCallNames, selectTools } from '../canonical/find-tool.ts';
export { openItemProofs, readItemProof, sealItemProof, type ProofTarget } from '../canonical/item-proof.ts';
export { readUses } from '../canonical/tool.ts';
export { readVectors, requireTexts } from '../canonical/operation/embedding.ts';
export { isOperation, operationNames, operations } from '../canonical/operation/operations.ts';
export { hasNoArguments } from '../canonical/json/no-arguments.ts';
export { isLeftOut, readClaim } from '../canonical/json/read-claim.ts';
export { countCodePoints } from '../canonical/text/code-points.ts';
export { readCsvRows } from '../canonical/text/csv.ts';
export { nameIssuer } from '../canonical/text/issuer-name.ts';
export { keyHeaders } from '../canonical/text/key-headers.ts';
export { normalizeForSearch, withoutHidden, type NormalText } from '../canonical/text/normalize-for-search.ts';
export { excerpt, redactSecrets } from '../canonical/text/redact.ts';
export { planSearchInSteps } from '../canonical/text/search-texts.ts';
export {
  mergeSpans,
  replaceSpans,
  sensitiveText,
  type SensitiveKind,
  type Span,
  type TextDetector,
} from '../canonical/text/sensitive-text.ts';
export { canonicalTextMembers } from '../canonical/text/text-members.ts';
export { weighText } from '../canonical/text/text-weight.ts';
export { writeDollars } from '../canonical/text/write-dollars.ts';
export { estimateUsage } from '../canonical/usage.ts';
export { agentSetUps } from '../catalog/agent-set-ups.ts';
export { FACTORED_PER, priceEstimate, selectFactor, selectRates } from '../catalog/price-usage.ts';
export { foldName } from '../contracts/request-members.ts';
export { ownMembers } from '../config/schema/model.ts';
export { isHostedToolsSetting } from '../config/validate/hosted-tools.ts';
export { readPriceFile } from '../config/read/price-file.ts';
export { readLimits } from '../config/validate/read-limits.ts';
export { MAX_TAGS, TAG_NAME, TAG_VALUE } from '../config/units/tags.ts';
export { overlapsWildcard } from '../config/wildcards.ts';
export type * from '../extensions/importer.ts';
export { readRanks } from '../dispatch/read-ranks.ts';
export { apiKeySchema, createKeys, missingCredential } from '../dispatch/credentials/api-keys.ts';
export { errorCodes } from '../errors/codes.ts';
export { describeAccessError } from '../errors/gateway-error.ts';
export { collectSettingErrors } from '../extensions/collect-setting-errors.ts';
export { versionSecret } from '../extensions/renewed-credential.ts';
export { chooseEffort } from '../fits/reasoning/effort.ts';
export { joinTurnPlaces, type SidedPlace } from '../fits/support/turn-places.ts';
export { ownTraceId, readTraceId } from '../exchange/access-log.ts';
export { parseCallInput, parseShallow } from '../framing/call-input.ts';
export { FrameTemplate, type Varying } from '../framing/frame-template.ts';
export { layoutOf } from '../framing/layout-of.ts';
export { redactTexts, TextList, type ListedText } from '../framing/text-list.ts';
export type { Unreadable } from '../framing/walk-texts.ts';
export { decodeSent, findClientFraming, type SentResponse } from '../lanes/decode-sent.ts';
export { MAX_CALLS } from '../lanes/translated/fan-out.ts';
export { attemptResult, classOf, wasSent } from '../outcome/results.ts';
export { systemClock } from '../services/clock.ts';
export { fetchService, fetchToken } from '../services/network/fetch.ts';
export {
  Arena,
  createMemory,
  CURSOR,
  EMPTY,
  EPOCH,
  FIRST_HEAD,
  HEADS,
  LINKS,
  NAMED,
  NAMED_LINKS,
  RECORDS,
  ROOT,
} from '../services/shared-memory/arena.ts';
export { entrantOf } from '../services/shared-memory/lock.ts';
export { setBounded } from '../services/bounded-map.ts';
export { inParts } from '../services/database/in-parts.ts';
export { checkParameters, readChoice, readLimit } from '../http/admin/query.ts';
export { Timer } from '../services/timer.ts';
export { createKeyCache, type KeyCache, type KeyCacheOptions } from '../tenancy/cache/key-cache.ts';

/**
 * What only the built-in plugins, providers and importers use. The package does not export it, so that it can change in
 * any release.
 */
export { declareCap } from '../canonical/declared-cap.ts';
export { findTool } from '../canonical/find-tool.ts';
export { readUses } from '../canonical/tool.ts';
export { readClaim } from '../canonical/json/read-claim.ts';
export { countCodePoints } from '../canonical/text/code-points.ts';
export { readCsvRows } from '../canonical/text/csv.ts';
export { nameIssuer } from '../canonical/text/issuer-name.ts';
export { normalizeForSearch, withoutHidden, type NormalText } from '../canonical/text/normalize-for-search.ts';
export { excerpt } from '../canonical/text/redact.ts';
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
export { agentSetUps } from '../catalog/agent-set-ups.ts';
export { FACTORED_PER, priceEstimate, selectFactor, selectRates } from '../catalog/price-usage.ts';
export { foldName } from '../contracts/request-members.ts';
export { isHostedToolsSetting } from '../config/validate/hosted-tools.ts';
export { readLimits } from '../config/validate/read-limits.ts';
export { MAX_TAGS, TAG_NAME, TAG_VALUE } from '../config/units/tags.ts';
export { overlapsWildcard } from '../config/wildcards.ts';
export type * from '../extensions/importer.ts';
export { apiKeySchema, createKeys } from '../dispatch/credentials/api-keys.ts';
export { describeAccessError } from '../errors/gateway-error.ts';
export { collectSettingErrors } from '../extensions/collect-setting-errors.ts';
export { bucketSchemas, openBucket, type Bucket, type BucketSettings } from '../extensions/aws/bucket.ts';
export { openAws, type AwsIdentity } from '../extensions/aws/open.ts';
export { awsSchemas, checkAws, type AwsSettings } from '../extensions/aws/settings.ts';
export type { Sign } from '../extensions/aws/sign.ts';
export { checkEntra, entraSchema, type EntraSettings } from '../extensions/entra/settings.ts';
export { openEntra, type EntraIdentity } from '../extensions/entra/tokens.ts';
export { versionSecret } from '../extensions/renewed-credential.ts';
export { chooseEffort } from '../fits/reasoning/effort.ts';
export { joinTurnPlaces, type SidedPlace } from '../fits/support/turn-places.ts';
export { ownTraceId, readTraceId } from '../exchange/access-log.ts';
export { parseCallInput } from '../framing/call-input.ts';
export { FrameTemplate, type Varying } from '../framing/frame-template.ts';
export { layoutOf } from '../framing/layout-of.ts';
export { redactTexts, TextList, type ListedText } from '../framing/text-list.ts';
export type { Unreadable } from '../framing/walk-texts.ts';
export { decodeSent, findClientFraming, type SentResponse } from '../lanes/decode-sent.ts';
export { MAX_CALLS } from '../lanes/translated/fan-out.ts';
export { attemptResult, classOf, wasSent } from '../outcome/results.ts';
export { systemClock } from '../services/clock.ts';
export { fetchService } from '../services/network/fetch.ts';
export { setBounded } from '../services/bounded-map.ts';
export { inParts } from '../services/database/in-parts.ts';
export { Timer } from '../services/timer.ts';
export { createKeyCache, type KeyCache, type KeyCacheOptions } from '../tenancy/cache/key-cache.ts';

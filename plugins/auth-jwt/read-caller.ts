import { GatewayError, type Caller } from '../../core/api/index.ts';
import { omitUndefined, readList } from '../../core/api/codec.ts';
import { isLeftOut, readClaim, readLimits } from '../../core/api/internal.ts';
import type { CallerRules } from './options.ts';

type Claims = Readonly<Record<string, unknown>>;

/** The same as in `gateway.yaml`: names become parts of metric labels, log fields and counter names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$/;

const refuse = (claim: string, flaw: string): never => {
  throw new GatewayError('invalid_api_key', `The claim "${claim}" of the token ${flaw}.`);
};

/**
 * Claims that people may choose freely until the issuer has verified them:
 * https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims
 */
const VERIFIABLE = /(?:^|\.)(?:email|phone_number)$/;

/** @returns undefined if the token lacks the claim and there is a default */
const readValue = (claims: Claims, claim: string, hasDefault: boolean): unknown => {
  const value = readClaim(claims, claim) ?? undefined;
  // A default is for a token without the claim, not for the values that are not known.
  if (value === undefined && isLeftOut(claims, claim))
    return refuse(
      claim,
      'has too many values for a token, which has a link in their place. The link cannot be followed with a token ' +
        'for this gateway: let the issuer state fewer of them, such as only groups or roles of this application',
    );
  if (value === undefined) return hasDefault ? undefined : refuse(claim, 'is missing; this gateway requires it');
  // Some issuers send the text "false".
  if (VERIFIABLE.test(claim) && readClaim(claims, `${claim}_verified`) !== true)
    return refuse(claim, `is not verified: its issuer must state ${claim}_verified as true`);
  return value;
};

const readName = (claims: Claims, claim: string | undefined, fallback: string | undefined): string => {
  if (claim === undefined) return fallback ?? 'default';
  const value = readValue(claims, claim, fallback !== undefined) ?? fallback;
  return typeof value === 'string' && NAME.test(value)
    ? value
    : refuse(claim, 'is not a name of letters, digits and . _ @ - with at most 128 characters');
};

/** Without a setting it is the subject, or the key for a token that has no subject. */
const readUser = (claims: Claims, { space, claims: { key, user: claim } }: CallerRules): string | undefined => {
  if (claim === false) return undefined;
  const value =
    claim === undefined ? (readClaim(claims, 'sub') ?? readClaim(claims, key)) : readValue(claims, claim, false);
  return typeof value === 'string' && value !== '' && value === value.trim() && !/[\p{Cc}\p{Cs}]/u.test(value)
    ? space + value
    : refuse(claim ?? 'sub', 'is not text, or has control characters or white space around it');
};

/** An empty list would allow every model. */
const readModels = (claims: Claims, claim: string | undefined, fallback: readonly string[] = []): readonly string[] => {
  const value = claim === undefined ? undefined : readValue(claims, claim, fallback.length > 0);
  if (claim === undefined || value === undefined) return fallback;
  const models = typeof value === 'string' ? value.split(/\s+/).filter((each) => each !== '') : readList(value);
  const patterns = models.filter((each): each is string => typeof each === 'string' && each !== '');
  return patterns.length === 0 || patterns.length !== models.length ? refuse(claim, 'names no models') : patterns;
};

const readOwnLimits = (claims: Claims, claim: string | undefined, fallback: Caller['limits']): Caller['limits'] => {
  const value = claim === undefined ? undefined : readValue(claims, claim, fallback !== undefined);
  if (claim === undefined || value === undefined) return fallback;
  if (!Array.isArray(value)) return refuse(claim, 'is not a list of limits');
  try {
    return readLimits(value, claim);
  } catch (thrown) {
    return refuse(claim, `has a limit that is not valid: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
};

/** The caller of a verified token. @throws GatewayError 401 that names the claim which is missing or not valid */
export function readCaller(token: Claims, rules: CallerRules): Caller {
  const { space, claims, defaults } = rules;
  return omitUndefined({
    key: space + readName(token, claims.key, undefined),
    organization: readName(token, claims.organization, defaults.organization),
    project: readName(token, claims.project, defaults.project),
    models: readModels(token, claims.models, defaults.models),
    user: readUser(token, rules),
    limits: readOwnLimits(token, claims.limits, defaults.limits),
  });
}

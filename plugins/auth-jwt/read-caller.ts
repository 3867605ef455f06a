import { GatewayError, type Caller } from '../../core/api/index.ts';
import { omitUndefined, readList } from '../../core/api/codec.ts';
import { readClaim, readLimits } from '../../core/api/internal.ts';
import type { CallerRules } from './options.ts';

type Claims = Readonly<Record<string, unknown>>;

/** The same as in `gateway.yaml`: names become parts of metric labels, log fields and counter names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$/;

const refuse = (claim: string, flaw: string): never => {
  throw new GatewayError('invalid_api_key', `The claim "${claim}" of the token ${flaw}.`);
};

/** @returns undefined if the token lacks the claim and there is a default */
const readValue = (claims: Claims, claim: string, hasDefault: boolean): unknown => {
  const value = readClaim(claims, claim) ?? undefined;
  return value === undefined && !hasDefault ? refuse(claim, 'is missing; this gateway requires it') : value;
};

const readName = (claims: Claims, claim: string | undefined, fallback: string | undefined): string => {
  if (claim === undefined) return fallback ?? 'default';
  const value = readValue(claims, claim, fallback !== undefined) ?? fallback;
  return typeof value === 'string' && NAME.test(value)
    ? value
    : refuse(claim, 'is not a name of letters, digits and . _ @ - with at most 128 characters');
};

const readUser = (claims: Claims, claim: string | undefined): string | undefined => {
  if (claim === undefined) return undefined;
  const value = readValue(claims, claim, false);
  return typeof value === 'string' && value.trim() !== '' ? value : refuse(claim, 'is not text');
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
export function readCaller(token: Claims, { claims, defaults }: CallerRules): Caller {
  return omitUndefined({
    key: readName(token, claims.key, undefined),
    organization: readName(token, claims.organization, defaults.organization),
    project: readName(token, claims.project, defaults.project),
    models: readModels(token, claims.models, defaults.models),
    user: readUser(token, claims.user),
    limits: readOwnLimits(token, claims.limits, defaults.limits),
  });
}

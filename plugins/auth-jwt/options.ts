import { readDuration, GatewayError, type Limit } from '../../core/api/index.ts';
import { nameIssuer, readLimits } from '../../core/api/internal.ts';

/** The names of claims. Dots lead into nested claims. */
interface ClaimNames {
  readonly key: string;
  readonly organization?: string;
  readonly project?: string;
  /** false: requests name their user. Absent: the subject. */
  readonly user?: string | false;
  readonly models?: string;
  readonly limits?: string;
}

/** The plugin's `config` after validation, with defaults. */
export interface JwtOptions {
  readonly issuer: string;
  readonly audience: string | readonly string[];
  readonly jwksUri?: string;
  readonly algorithms: readonly string[];
  readonly clockSkew: string;
  readonly claims: ClaimNames;
  /** What applies if a token lacks the claim, or if no claim is configured. */
  readonly defaults: {
    readonly organization?: string;
    readonly project?: string;
    readonly models?: readonly string[];
    readonly limits?: readonly unknown[];
  };
}

/** How tokens are verified. */
export interface VerifyRules {
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  readonly clockSkewMs: number;
}

/** How claims become a caller. */
export interface CallerRules {
  /** What the names of its callers and users begin with. */
  readonly space: string;
  readonly claims: ClaimNames;
  readonly defaults: Omit<JwtOptions['defaults'], 'limits'> & { readonly limits: readonly Limit[] | undefined };
}

/**
 * The space of the names of one issuer: `jwt:login.example.com:` or `jwt:login.example.com~realms~acme:`. Other names
 * of keys have no colon, and neither have the names behind it, so that names of two spaces are never equal.
 */
export const spaceOf = (issuer: string): string => `jwt:${nameIssuer(issuer)}:`;

const MAX_SKEW = '5m';

const readSkew = (clockSkew: string): number => {
  const skew = readDuration(clockSkew);
  if (skew <= readDuration(MAX_SKEW)) return skew;
  throw new GatewayError('KOINE_CONFIG_INVALID', `clockSkew must be at most ${MAX_SKEW}, not ${clockSkew}.`);
};

const readDefaultLimits = ({ defaults: { limits } }: JwtOptions): readonly Limit[] | undefined =>
  limits && readLimits(limits, 'defaults.limits');

/** @throws GatewayError `KOINE_CONFIG_INVALID` */
export const readVerifyRules = ({ issuer, audience, algorithms, clockSkew }: JwtOptions): VerifyRules => ({
  issuer,
  audience: [audience].flat(),
  algorithms,
  clockSkewMs: readSkew(clockSkew),
});

/** @throws GatewayError for limits that are not valid */
export const readCallerRules = (options: JwtOptions): CallerRules => ({
  space: spaceOf(options.issuer),
  claims: options.claims,
  defaults: { ...options.defaults, limits: readDefaultLimits(options) },
});

/** Functions that read one setting each, by its path, and throw when its value is not valid. */
export const settingReaders = (options: JwtOptions): Readonly<Record<string, () => unknown>> => ({
  'clockSkew': () => readSkew(options.clockSkew),
  'defaults.limits': () => readDefaultLimits(options),
});

import type { HostedToolKind } from '../canonical/tool.ts';
import type { LossPolicy } from '../canonical/loss.ts';
import type { VendorStatePolicy } from './request-members.ts';

/** `on`: responses have the headers `x-koine-cost` and `x-koine-usage`. */
export type CostHeaders = 'off' | 'on';

/**
 * What happens to tools that run at a vendor, where they are not allowed, or where a target on another wire does not
 * have them. `drop`: they are left out, which is a loss. `refuse`: the request, or the target, is refused.
 */
export type HostedToolsPolicy = 'drop' | 'refuse';

/** Which tools can run at a vendor, and what happens to others. */
export interface HostedToolsRules {
  /** Absent: all. */
  readonly allow?: readonly HostedToolKind[];
  /** Absent: the setting of the next level applies. */
  readonly otherwise?: HostedToolsPolicy;
}

/** `hostedTools` as it is written: `drop` means `{ otherwise: drop }`, and a list means `{ allow: … }`. */
export type HostedToolsSetting = HostedToolsPolicy | readonly HostedToolKind[] | HostedToolsRules;

/** The authenticated owner of a request. */
export interface Caller {
  /**
   * Name of the key in the configuration or the database; never the secret. Names that others choose begin with a space
   * of their own, which no other key can have: `jwt:<issuer>:<name>` of tokens, `remote:<name>` of a key service,
   * `personal:<name>` of people. A plugin of yours that names callers uses `plugin:<its name>:<name>`.
   */
  readonly key: string;
  readonly project: string;
  readonly organization: string;
  /** Patterns of catalog ids (`openai/*`); an empty list allows every model. Checked after aliases are resolved. */
  readonly models: readonly string[];
  /** Policy for requests that a translation would lose something of; absent: the policy of the route applies. */
  readonly losses?: LossPolicy;
  /** Whether requests can reference vendor state; absent: the setting of the route applies. */
  readonly vendorState?: VendorStatePolicy;
  /** Whether responses show what they cost; absent: the setting of the route applies. */
  readonly costHeaders?: CostHeaders;
  /** Tools that can run at vendors. The rules of its project, its organization, the route and the model apply too. */
  readonly hostedTools?: HostedToolsSetting;
  /** Tags of all requests of this key. They replace those of its project by name. */
  readonly tags?: Readonly<Record<string, string>>;
  /**
   * The end user, where authentication has identified one: it replaces the one that the request names. It begins with a
   * space: `jwt:<issuer>:`, `remote:`, `owner:` or `plugin:`. Names of requests that begin with one are recorded as a
   * digest, so that no request can name a user whom a token or a key proves.
   */
  readonly user?: string;
  /** A person has made the key (`admin.personalKeys`), whose limits apply unless the key has its own. */
  readonly personal?: true;
  /** Limits of this key; absent: the `keyLimits` of its project, its organization or the gateway. */
  readonly limits?: readonly Limit[];
}

/** Whom the usage of a request is attributed to: docs/govern/attribution.md. Bounded, and never empty. */
export interface Attribution {
  /** The end user as recorded: a name of at most 128 characters, or its digest if the configuration says so. */
  readonly user?: string;
  /** At most 10. */
  readonly tags?: Readonly<Record<string, string>>;
}

/**
 * What a limit counts. `images` are generated, `seconds` are transcribed, `characters` are spoken; `cost` is in
 * nano-dollars (10⁻⁹ USD); `concurrent` is the number of responses in progress.
 */
export type LimitUnit =
  | 'requests'
  | 'tokens'
  | 'inputTokens'
  | 'outputTokens'
  | 'images'
  | 'seconds'
  | 'characters'
  | 'cost'
  | 'concurrent';

/** Windows of a `cost` limit. They start at the calendar boundary. */
export type CalendarWindow = 'hour' | 'day' | 'week' | 'month';

/** What a limit counts for separately. Requests without one are not counted. */
export type LimitSubject = 'user' | `tag:${string}`;

/** One entry of `limits` or `keyLimits`. */
export interface Limit {
  readonly unit: LimitUnit;
  /** In whole units, at least 1. */
  readonly amount: number;
  /** Milliseconds of a sliding window; a calendar window for `cost`; absent for `concurrent`. */
  readonly per?: number | CalendarWindow;
  /** Size of a token bucket that `amount` per `per` refills. Absent: a sliding window. */
  readonly burst?: number;
  /** For `cost`: shares of the amount at which operators are alerted (0.8 is 80 %). Ascending. */
  readonly soft?: readonly number[];
  /** Patterns of catalog ids: only exchanges with these models count. Empty: all. */
  readonly models: readonly string[];
  /** What has a count of its own: each end user, or each value of a tag. Absent: all requests share one count. */
  readonly each?: LimitSubject;
  /** False: a shadow limit, which counts but refuses nothing. */
  readonly enforce: boolean;
  /** Policy while the shared store is unreachable; absent: the setting of the rate-limit plugin. */
  readonly onStoreFailure?: StoreFailurePolicy;
}

/** `local`: each host counts on its own. `allow`: the limit is not enforced. `deny`: requests are refused with 503. */
export type StoreFailurePolicy = 'local' | 'allow' | 'deny';

/** The level that owns a limit. */
export type LimitScope = 'key' | 'project' | 'organization';

/** The rules of one level: of a caller's key, project or organization. */
export interface CallerScope {
  readonly scope: LimitScope;
  /** Names from the organization down: `['acme', 'web', 'alice']` for a key. */
  readonly path: readonly string[];
  readonly limits: readonly Limit[];
  readonly hostedTools?: HostedToolsSetting;
}

/** Selects past spending of a key, a project or an organization. */
export interface SpendingQuery {
  /** Names from the organization down: `['acme', 'web', 'alice']` for a key. */
  readonly path: readonly string[];
  /** Patterns of catalog ids: only exchanges with these models count. Empty: all. */
  readonly models: readonly string[];
  /** Only exchanges of this end user. */
  readonly user?: string;
  /** Only exchanges with this tag. */
  readonly tag?: { readonly name: string; readonly value: string };
  /** Unix milliseconds; exchanges that ended at or after it count. */
  readonly since: number;
  /** Unix milliseconds; exchanges that ended before it count. Absent: until now. */
  readonly until?: number;
}

/** Selects callers. An absent name matches all. */
export interface CallerFilter {
  readonly organization?: string;
  readonly project?: string;
  /** Names of keys, without the space of those that people make. */
  readonly name?: string;
  /** The id of a signed-in person: only keys that the person has made. */
  readonly ownerId?: string;
  /** `next` of the page before, with the same other members. Absent: the first page. */
  readonly after?: string;
  /** Maximum number of results in the page. */
  readonly limit: number;
}

/** A part of the callers, by organization, project and name of the key. */
export interface CallerPage {
  readonly callers: readonly Caller[];
  /** Where the next page begins. Absent: this is the last one. A page that has one can be empty. */
  readonly next?: string;
}

/** A key as it is stored: by digest, never by its secret. */
export interface KeyRecord {
  readonly caller: Caller;
  /** SHA-256 of the whole key. */
  readonly digest: Uint8Array;
  readonly disabled: boolean;
  /** A person has made the key for whom the directory (`admin.scim`) never had a user. */
  readonly unprovisioned?: boolean;
  /** Unix milliseconds; absent: the key does not expire. */
  readonly expiresAt?: number;
}

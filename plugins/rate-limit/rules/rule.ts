import type { Caller, Exchange, Limit, LimitFigures, LimitScope } from '../../../core/api/index.ts';
import type { LimitMeter } from '../meters.ts';
import type { Bucket, Charge } from '../store/store.ts';

export type FigureUnit = keyof LimitFigures;

/** One limit of a caller, with everything that does not depend on a request. */
export interface Rule {
  readonly scope: LimitScope;
  /** The name of the key, project or organization. */
  readonly holder: string;
  readonly limit: Limit;
  readonly label: string;
  readonly bucket: Bucket;
  /** The charge of every request, if it is always the same: for `requests` and `concurrent`. */
  readonly charge?: Charge;
  /** The unit under which headers show it. Not set for shadow limits, money and `concurrent`. */
  readonly figure?: FigureUnit;
  readonly meter: LimitMeter;
  /** Sets the metric of a budget of an organization or a project to the share that is spent. */
  readonly budget?: (share: number) => void;
}

/** The rules for the exchanges of one caller with one model. */
export interface RuleSet {
  /** The organization. */
  readonly tenant: string;
  readonly rules: readonly Rule[];
  /** The rules by which this host decides alone while the shared store is not available. Their buckets are smaller. */
  readonly outage: readonly Rule[];
  /** A limit that refuses every request during such an outage. */
  readonly deniedBy: Rule | undefined;
}

/** The rules of one caller that apply to every model, and so before the body is read. */
export interface EntryRules {
  /** Limits of `concurrent`, without shadow limits; undefined: there are none. */
  readonly concurrent: RuleSet | undefined;
  /** Limits of `requests`, with shadow limits; undefined: there are none. */
  readonly requests: RuleSet | undefined;
}

/** undefined: no limit of the caller applies before the model is known. */
export type SelectEntryRules = (caller: Caller) => EntryRules | undefined;

/** Limits for each user or tag that do not apply to an exchange, because it has none. */
export type ListUnnamed = (exchange: Parameters<SelectRules>[0]) => readonly Rule[];

/** The rules for requests that the gateway answers itself: `requests` and `concurrent`. undefined: there are none. */
export type SelectDirectRules = (caller: Caller) => RuleSet | undefined;

/** undefined: the exchange has no limits. */
export type SelectRules = (
  exchange: Pick<Exchange, 'caller' | 'model' | 'operation' | 'attribution'>,
) => RuleSet | undefined;

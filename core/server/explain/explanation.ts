import type { WrittenDefaults } from '../../config/defaults-config.ts';
import type { Estimate } from '../../contracts/price.ts';
import type { Loss, LossPolicy } from '../../canonical/loss.ts';
import type { Headers, JsonObject, Operation, WireName } from '../../canonical/wire.ts';
import type { Lane } from '../../contracts/attempt-record.ts';
import type { Attribution } from '../../contracts/caller.ts';
import type { ToolRules } from '../../exchange/request/tool-rules.ts';
import type { Standing } from '../../contracts/attempt.ts';

/** What the gateway would do with a request, as plain data without secrets: docs/operate/explain.md. */
export interface Explanation {
  readonly key: {
    readonly name: string;
    readonly organization: string;
    readonly project: string;
    readonly origin: 'configuration' | 'database' | 'plugin';
    /** Of a key of the database. */
    readonly id?: string;
    readonly models: 'all' | readonly string[];
  };
  readonly model: {
    readonly id: string;
    readonly alias?: string;
    /** Set where the request does not set them. */
    readonly defaults?: WrittenDefaults;
  };
  readonly route: {
    readonly wire: WireName;
    readonly operation: Operation;
    readonly stream: boolean;
    readonly paths: readonly string[];
    readonly losses: LossPolicy;
  };
  /** Which tools can run at vendors. Absent: no setting restricts them. */
  readonly hostedTools?: ToolRules;
  readonly request: {
    readonly body: 'a small request' | 'as given';
    readonly estimate: Estimate;
    readonly attribution?: Attribution;
  };
  /** In YAML order. */
  readonly plugins: readonly ExplainedPlugin[];
  /** In the order in which they would be tried. */
  readonly targets: readonly ExplainedTarget[];
  /** What is not known here, and where it is. */
  readonly notes?: readonly string[];
}

export interface ExplainedPlugin {
  /** As written after `use:`. */
  readonly use: string;
  /** `built-in`, a package with its version, or the file that was imported. */
  readonly origin: string;
  readonly phases: readonly string[];
  /** What its `explain` returned. */
  readonly says?: unknown;
  /** Why `says` is absent. */
  readonly failed?: string;
}

export interface ExplainedTarget {
  readonly target: string;
  readonly wire?: WireName;
  readonly lane?: Lane;
  /** Why it is this lane. */
  readonly why?: string;
  readonly losses: readonly Loss[];
  /** As the strategy ranks them; without a strategy all are ready. */
  readonly credentials: readonly Omit<Standing, 'target'>[];
  /** Why it would not be called. */
  readonly skipped?: readonly string[];
  /** USD per million tokens, and in `units` USD each. */
  readonly price: 'unknown' | JsonObject;
  /** USD. */
  readonly estimatedCost?: number;
  readonly upstream?: ExplainedRequest;
  /** Why there is no call to show. */
  readonly unsent?: string;
}

/** A call as it would be sent, its credentials masked. */
export interface ExplainedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** Parsed; text where it is not JSON. */
  readonly body: unknown;
}

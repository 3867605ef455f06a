import { isOperation } from '../../canonical/operation/operations.ts';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Operation } from '../../canonical/wire.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { ClientSide } from '../../contracts/codec.ts';
import type { RequestHead } from '../../contracts/exchange.ts';
import type { Admission, EndedRequest, Outcome } from '../../contracts/outcome.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { toGatewayError, type GatewayError } from '../../errors/gateway-error.ts';
import { hasLeft } from '../../lanes/upstream/read-on.ts';
import { resultOfError, resultOfStatus } from '../../outcome/results.ts';
import { writeDirect, writeExchange } from '../../exchange/access-log.ts';
import type { Enter, Identify } from '../../exchange/authenticate.ts';
import { joinAnnotations } from '../../exchange/hooks/annotations.ts';
import { settleAll, type SettleParts } from '../../exchange/settle.ts';

/** How the errors and limits of a direct request are written. Without `encodeError`: outside of any wire. */
export type DirectClient = Partial<Pick<ClientSide<Operation>, 'encodeError' | 'encodeLimits'>>;

/**
 * A request that the gateway answers itself: a models list, an endpoint of a plugin, an unknown path, or one that a
 * middleware answers.
 */
export class DirectRequest {
  readonly startedAt: number;
  readonly admissions: Admission[] = [];
  caller: Caller | undefined = undefined;
  /** Undefined: that of its route, if there is one. */
  client: DirectClient | undefined = undefined;
  error: GatewayError | undefined = undefined;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }
}

export interface DirectParts extends Pick<SettleParts, 'clock' | 'log' | 'logExchange' | 'ended'> {
  /** The reference count of the generation: a request holds one reference until it is settled. */
  readonly refCount?: { enter(): void; leave(): void } | undefined;
  readonly identify: Identify;
  readonly enter: Enter;
  readonly admitDirect: (head: RequestHead, caller: Caller, admitted: Admission[]) => Promise<void>;
  /** Writes the access log line of a request that is not an exchange. @param fields members of a JSON object */
  readonly logDirect: (fields: string) => void;
}

/** Calls the `admitDirect` hook of every plugin in YAML order; a throw refuses the request. */
export function composeAdmitDirect(plugins: readonly PluginInstance[]): DirectParts['admitDirect'] {
  const hooks = plugins.flatMap((plugin) => plugin.admitDirect?.bind(plugin) ?? []);
  return async (head, caller, admitted) => {
    for (const hook of hooks) {
      const admission = await hook(head, caller);
      if (admission !== undefined) admitted.push(admission);
    }
  };
}

/** A client that left got nothing, whatever was prepared for it. */
const describeEnd = (
  { signal }: RequestHead,
  error: GatewayError | undefined,
  status: number,
): Pick<Outcome, 'result' | 'status' | 'error'> => {
  if (hasLeft(signal)) {
    const left = toGatewayError(signal.reason);
    return { result: resultOfError(left), status: left.status, error: left };
  }
  return omitUndefined({ result: error === undefined ? resultOfStatus(status) : resultOfError(error), status, error });
};

/**
 * The end of a direct request, once its response is ready: settles its admissions, writes the access log line. A
 * request for a model that a middleware has answered is logged like other exchanges that were refused.
 */
export async function settleDirect(
  parts: DirectParts,
  head: RequestHead,
  { startedAt, admissions, caller, error }: DirectRequest,
  status: number,
): Promise<void> {
  const { clock, log, logExchange, logDirect, ended } = parts;
  const total = clock.monotonic() - startedAt;
  const annotations = joinAnnotations(admissions);
  const outcome: Outcome = Object.freeze({
    ...describeEnd(head, error, status),
    endedAt: clock.now(),
    charges: [],
    usage: undefined,
    cost: undefined,
    attempts: [],
    times: { total, own: total },
    ...(annotations === undefined ? {} : { annotations }),
  });
  await settleAll(admissions, outcome, log);
  const request: EndedRequest = omitUndefined({ head, outcome, caller });
  const fields = writeExchange(request);
  if (isOperation(head.route.operation)) logExchange(fields, outcome, head.startedAt, undefined);
  else logDirect(`${fields}${writeDirect(head)}`);
  ended(request);
}

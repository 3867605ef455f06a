import type { GenerateRequest } from '../../canonical/request.ts';
import type { WireTraits } from '../../contracts/capabilities.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { describeField } from '../../fits/support/field-name.ts';

/** Most upstream calls that one request makes at the same time. */
export const MAX_CALLS = 16;

/**
 * The number of upstream calls for this request: several if the client wants several choices and the target gives one
 * per call.
 * @param client traits of the client's wire
 * @throws GatewayError `unsupported_parameter` for more than {@link MAX_CALLS}
 */
export function countCalls(
  { choices }: GenerateRequest,
  { capabilities, model }: TargetProfile,
  client: WireTraits,
): number {
  if (choices <= 1 || capabilities.choices !== false) return 1;
  if (choices <= MAX_CALLS) return choices;
  const field = describeField(client, 'choices');
  throw new GatewayError(
    'unsupported_parameter',
    `The model ${model} gives one choice per call, and '${field}' is ${choices}. Set it to ${MAX_CALLS} at most.`,
    { param: field },
  );
}

/**
 * Makes several calls concurrently, and passes their results to `use`. A failure, of `use` too, aborts all of them: a
 * response with a missing choice is useless, and a body that is not read would keep its connection open.
 */
export async function callTogether<T, R>(
  count: number,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
  use: (results: readonly T[]) => R | Promise<R>,
): Promise<R> {
  const stop = new AbortController();
  const any = AbortSignal.any([signal, stop.signal]);
  try {
    return await use(await Promise.all(Array.from({ length: count }, () => call(any))));
  } catch (error) {
    stop.abort(error);
    throw error;
  }
}

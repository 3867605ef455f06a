import type { GenerateRequest } from '../../canonical/request.ts';
import type { WireTraits } from '../../contracts/capabilities.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import { describeField } from '../../fits/support/field-name.ts';
import { unsupportedParameter } from '../../fits/support/unsupported.ts';

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
  throw unsupportedParameter(
    field,
    `The model ${model} gives one choice per call, and '${field}' is ${choices}. Set it to ${MAX_CALLS} at most.`,
  );
}

/**
 * Makes several calls, {@link MAX_CALLS} of them at the same time, and passes their results to `use` in the order of
 * their index. A failure, of `use` too, aborts all of them and those that wait: a response with a missing choice is
 * useless, and a body that is not read would keep its connection open.
 */
export async function callTogether<T, R>(
  count: number,
  signal: AbortSignal,
  call: (signal: AbortSignal, index: number) => Promise<T>,
  use: (results: readonly T[]) => R | Promise<R>,
): Promise<R> {
  const stop = new AbortController();
  const any = AbortSignal.any([signal, stop.signal]);
  const results: T[] = [];
  let next = 0;
  const callNext = async (): Promise<void> => {
    while (next < count) {
      any.throwIfAborted();
      const index = next;
      next += 1;
      results[index] = await call(any, index);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(count, MAX_CALLS) }, callNext));
    return await use(results);
  } catch (error) {
    next = count;
    stop.abort(error);
    throw error;
  }
}

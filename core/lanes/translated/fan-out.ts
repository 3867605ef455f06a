import type { GenerateRequest } from '../../canonical/request.ts';
import type { WireTraits } from '../../contracts/capabilities.ts';
import type { TargetProfile } from '../../contracts/codec.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { describeField } from '../../fits/support/field-name.ts';

/** Calls that one request may make at once: more would be a load of their own. */
export const MAX_CALLS = 16;

/**
 * How many calls answer this request: several where the client wants several answers and the target gives one per call.
 * @param client what the client's wire says of itself
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
    `The model ${model} gives one answer per call, and '${field}' is ${choices}. Ask for ${MAX_CALLS} at most.`,
    { param: field },
  );
}

/**
 * Runs several calls side by side, and `use` on what they give. Whatever fails, there too, ends all of them: an answer with a choice missing would be
 * no answer, and a body that nobody reads would keep its connection.
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

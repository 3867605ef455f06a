import type { Attempt, Reply, Send } from '../../contracts/attempt.ts';
import type { Credential } from '../../contracts/extension.ts';
import { toGatewayError } from '../../errors/gateway-error.ts';
import { classifyFailure } from '../upstream-error.ts';

/** @throws the reason of the signal if it aborts first */
const waitFor = async (promise: Promise<void> | undefined, signal: AbortSignal): Promise<void> => {
  if (promise === undefined) return;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(toGatewayError(signal.reason));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

/**
 * Sends with a secret that can change while the gateway runs. If the vendor refuses it, it is loaded again, and the
 * call is repeated once if the secret has changed since it began.
 */
export async function sendRenewable(attempt: Attempt, credential: Credential, send: Send): Promise<Reply> {
  const { signal } = attempt;
  await waitFor(credential.ready?.(), signal);
  const used = credential.version;
  try {
    return await send(attempt);
  } catch (thrown) {
    const { vendor, failure } = classifyFailure(attempt, toGatewayError(thrown));
    if (vendor === undefined || failure !== 'credential') throw thrown;
    await waitFor(credential.renew?.(), signal);
    if (credential.version === used) throw thrown;
    return await send({ ...attempt, losses: [] });
  }
}

/** The plugin that would answer is not configured. */
export class Absent extends Error {}

const PATIENCE_MS = 10_000;

/** @param {Response} reply */
const describeFailure = async (reply) => {
  /** @type {{ error?: { message?: string } } | undefined} */
  const body = await reply.json().catch(() => undefined);
  return body?.error?.message ?? `The gateway answered ${reply.status}.`;
};

/**
 * One call of the admin listener; who is signed in no more is shown the way.
 * @param {string} path
 * @param {RequestInit} [options]
 * @throws {Absent | Error}
 */
export const ask = async (path, { signal, headers, ...options } = {}) => {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const reply = await fetch(path, {
    ...options,
    headers: { 'x-koine-page': '1', ...headers },
    signal: signal === undefined || signal === null ? patience : AbortSignal.any([signal, patience]),
  });
  if (reply.status === 401) location.assign(`/admin/login?next=${encodeURIComponent(location.pathname)}`);
  if (reply.status === 404) throw new Absent();
  if (!reply.ok) throw new Error(await describeFailure(reply));
  return reply;
};

/**
 * @param {string} path
 * @param {AbortSignal} signal
 * @returns {Promise<unknown>}
 */
export const askJson = async (path, signal) => (await ask(path, { signal })).json();

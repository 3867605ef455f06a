/** Thrown when the plugin that serves a path is not configured (404). */
export class NotConfigured extends Error {}

const TIMEOUT_MS = 10_000;

/** @param {Response} response */
const describeFailure = async (response) => {
  /** @type {{ error?: { message?: string } } | undefined} */
  const body = await response.json().catch(() => undefined);
  return body?.error?.message ?? `The gateway responded with status ${response.status}.`;
};

/**
 * Calls the admin listener. A session that has expired leads to the login page.
 * @param {string} path
 * @param {RequestInit} [options]
 * @throws {NotConfigured | Error}
 */
export const request = async (path, { signal, headers, ...options } = {}) => {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(path, {
    ...options,
    headers: { 'x-koine-page': '1', ...headers },
    signal: signal === undefined || signal === null ? timeout : AbortSignal.any([signal, timeout]),
  });
  if (response.status === 401) location.assign(`/admin/login?next=${encodeURIComponent(location.pathname)}`);
  if (response.status === 404) throw new NotConfigured();
  if (!response.ok) throw new Error(await describeFailure(response));
  return response;
};

/**
 * @param {string} path
 * @param {AbortSignal} signal
 * @returns {Promise<unknown>}
 */
export const requestJson = async (path, signal) => (await request(path, { signal })).json();

/** Thrown when the plugin that serves a path is not configured (404). */
export class NotConfigured extends Error {}

/** An error response of the admin API. `param` names the member of the request that is wrong. */
export class ApiError extends Error {
  /** @param {string} message @param {{ status: number, param: string, code: string }} details */
  constructor(message, { status, param, code }) {
    super(message);
    this.status = status;
    this.param = param;
    this.code = code;
  }
}

const TIMEOUT_MS = 10_000;

/** @param {Response} response */
const readError = async (response) => {
  /** @type {{ error?: { message?: string, param?: string | null, code?: string | null } } | undefined} */
  const body = await response.json().catch(() => undefined);
  const { message, param, code } = body?.error ?? {};
  return new ApiError(message ?? `The gateway responded with status ${response.status}.`, {
    status: response.status,
    param: param ?? '',
    code: code ?? '',
  });
};

const goToLogin = () => location.assign(`/admin/login?next=${encodeURIComponent(location.pathname + location.hash)}`);

/**
 * Calls the admin listener. A session that has expired leads to the login page.
 * @param {string} path
 * @param {RequestInit} [options]
 * @throws {ApiError | TypeError}
 */
export const call = async (path, { signal, headers, ...options } = {}) => {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(path, {
    ...options,
    headers: { 'x-koine-page': '1', ...headers },
    signal: signal === undefined || signal === null ? timeout : AbortSignal.any([signal, timeout]),
  });
  if (response.status === 401) goToLogin();
  if (!response.ok) throw await readError(response);
  return response;
};

/**
 * Reads from a call that a plugin may add.
 * @param {string} path
 * @param {RequestInit} [options]
 * @throws {NotConfigured | Error}
 */
export const request = async (path, options) => {
  try {
    return await call(path, options);
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 404) throw new NotConfigured();
    throw thrown;
  }
};

/**
 * @param {string} path
 * @param {AbortSignal} signal
 * @returns {Promise<unknown>}
 */
export const requestJson = async (path, signal) => (await request(path, { signal })).json();

/**
 * What is read from a call that a plugin may add; `none` where that is not configured.
 * @template T, N
 * @param {Promise<T>} reading
 * @param {N} none
 * @returns {Promise<T | N>}
 */
export const orNone = (reading, none) =>
  reading.catch((thrown) => {
    if (thrown instanceof NotConfigured) return none;
    throw thrown;
  });

/** A query, without members that have no value. @param {Readonly<Record<string, string | undefined>>} members */
export const writeQuery = (members) => {
  const given = /** @type {[string, string][]} */ (Object.entries(members).filter(([, value]) => value));
  return new URLSearchParams(given).toString();
};

/**
 * Changes something.
 * @param {'POST' | 'PATCH' | 'DELETE'} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {string} [etag] the change is refused if this is not the current state
 * @returns {Promise<unknown>} the body of the response
 */
export const send = async (method, path, body, etag) =>
  (
    await call(path, {
      method,
      headers: { 'content-type': 'application/json', ...(etag === undefined ? {} : { 'if-match': etag }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  ).json();

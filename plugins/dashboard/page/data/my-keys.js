/** @import { Key } from './keys.js' */
import { requestJson } from './api.js';

/**
 * The signed-in person, and what keys the person can make: docs/reference/admin.md.
 * @typedef {object} Me
 * @property {object} [keys]
 * @property {readonly string[]} keys.projects `acme/sandbox`
 * @property {readonly string[]} [keys.models] the most that a key can allow
 * @property {number} keys.maxKeys
 * @property {string} keys.maxLifetime `90d`
 * @property {readonly Readonly<Record<string, unknown>>[]} [keys.limits] of each key
 * @property {string} [keys.url] the address that clients use
 * @property {readonly string[]} keys.available the models that keys of the person can use
 * @property {number} keys.port
 * @property {boolean} keys.tls
 */
/** @typedef {NonNullable<Me['keys']>} Rules */

/** A failure hides the page of keys, and nothing else. @param {AbortSignal} signal @returns {Promise<Me>} */
export const readMe = async (signal) => {
  try {
    return /** @type {Me} */ (await requestJson('/admin/me', signal));
  } catch {
    return {};
  }
};

/** @param {AbortSignal} signal */
export const readMyKeys = async (signal) =>
  /** @type {{ keys: readonly Key[] }} */ (await requestJson('/admin/me/keys', signal)).keys;

/** @param {string} id */
export const pathOfMine = (id) => `/admin/me/keys/${encodeURIComponent(id)}`;

/** The address that clients use. Default: the port of clients at the name of this page. @param {Rules} rules */
export const addressOf = ({ url, port, tls }) => url ?? `${tls ? 'https' : 'http'}://${location.hostname}:${port}`;

/** @param {string} pattern @param {string} id */
const fits = (pattern, id) =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('.*')}$`,
  ).test(id);

/** The models that a key with these patterns can use. @param {Rules} rules @param {readonly string[]} patterns */
export const modelsOf = ({ available }, patterns) =>
  available.filter((id) => patterns.length === 0 || patterns.some((pattern) => fits(pattern, id)));

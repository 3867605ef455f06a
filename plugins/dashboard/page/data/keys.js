import { call, orNone, requestJson, writeQuery } from './api.js';

/**
 * A policy, the tools that can run at vendors, or both: docs/govern/hosted-tools.md.
 * @typedef {{ readonly allow?: readonly string[], readonly otherwise?: string }} ToolRules
 * @typedef {string | readonly string[] | ToolRules} HostedTools
 */
/**
 * A key as the admin API lists it: docs/reference/admin.md.
 * @typedef {object} Key
 * @property {string} id
 * @property {string} name
 * @property {string} [prefix]
 * @property {string} organization
 * @property {string} project
 * @property {string} [owner]
 * @property {readonly string[]} models
 * @property {readonly Readonly<Record<string, unknown>>[]} [limits]
 * @property {string} [losses]
 * @property {string} [vendorState]
 * @property {string} [costHeaders]
 * @property {HostedTools} [hostedTools]
 * @property {Readonly<Record<string, string>>} [tags]
 * @property {Readonly<Record<string, string>>} [metadata]
 * @property {boolean} disabled
 * @property {boolean} [revoked]
 * @property {string} [createdAt]
 * @property {string} [expiresAt]
 * @property {'configuration' | 'database'} origin
 */
/** @typedef {Key & { readonly secret: string, readonly warnings?: readonly string[] }} IssuedKey */

const SOON_MS = 7 * 86_400_000;

/** @typedef {{ readonly keys: readonly Key[], readonly next: string | null }} KeyPage */

const PAGE = '100';

/**
 * A page of the keys that match the filters of the page.
 * @param {Readonly<Record<string, string>>} query
 * @param {AbortSignal} signal
 */
export const readKeys = async ({ find = '', state = '', sort = '', cursor = '', limit = PAGE }, signal) => {
  const given = { find, state: state === '' ? 'active,expired,disabled' : state, sort, limit, cursor };
  return /** @type {KeyPage} */ (await requestJson(`/admin/keys?${writeQuery(given)}`, signal));
};

/** The projects that keys can be made in, as `acme/web`. @param {AbortSignal} signal */
export const readProjects = async (signal) => {
  const { projects } = /** @type {{ projects: readonly { organization: string, project: string }[] }} */ (
    await requestJson('/admin/projects', signal)
  );
  return projects.map(({ organization, project }) => `${organization}/${project}`);
};

/** @param {string} id */
export const pathOf = (id) => `/admin/keys/${encodeURIComponent(id)}`;

/** A key; null if there is none with this id. @param {string} id @param {AbortSignal} signal */
export const readKey = async (id, signal) =>
  /** @type {Key | null} */ (await orNone(requestJson(pathOf(id), signal), null));

/** The current state of a key, for `If-Match`. @param {string} id @returns {Promise<string>} */
export const readTag = async (id) => (await call(pathOf(id))).headers.get('etag') ?? '*';

/** @param {Key} key @returns {'active' | 'expiring' | 'expired' | 'disabled' | 'revoked'} */
export const stateOf = ({ revoked, disabled, expiresAt }) => {
  if (revoked) return 'revoked';
  const left = expiresAt === undefined ? Infinity : Date.parse(expiresAt) - Date.now();
  if (left <= 0) return 'expired';
  if (disabled) return 'disabled';
  return left < SOON_MS ? 'expiring' : 'active';
};

/** `acme/web/alice`: names are unique within a project only. @param {Key} key */
export const identityOf = ({ organization, project, name }) => `${organization}/${project}/${name}`;

/** The patterns of a text field. @param {string} text @returns {readonly string[]} */
export const readList = (text) => text.split(/[\s,]+/).filter((part) => part !== '');

/** Words as `koine keys` has them: `web_search, mcp, drop`; `none` allows no tool. @param {HostedTools} [setting] */
export const writeHostedTools = (setting) => {
  if (setting === undefined || typeof setting === 'string') return setting ?? '';
  const { allow, otherwise } = 'length' in setting ? { allow: setting, otherwise: undefined } : setting;
  const tools = allow === undefined ? [] : allow.length === 0 ? ['none'] : allow;
  return [...tools, ...(otherwise === undefined ? [] : [otherwise])].join(', ');
};

/** @param {string} word */
const isPolicy = (word) => word === 'drop' || word === 'refuse';

/** Undefined for no words. Wrong words are sent as they are, so that the gateway names them. @param {string} text */
export const readHostedTools = (text) => {
  const words = readList(text);
  const otherwise = words.find(isPolicy);
  const allow = words.filter((word) => !isPolicy(word) && word !== 'none');
  if (allow.length === 0 && !words.includes('none')) return otherwise;
  return otherwise === undefined ? allow : { allow, otherwise };
};

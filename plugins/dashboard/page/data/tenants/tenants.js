import { call, requestJson, writeQuery } from '../api.js';
import { draftLimit, writeLimit } from '../limits.js';

/** @import { DraftLimit } from '../limits.js' */

/**
 * An organization or a project: docs/reference/admin.md.
 * @typedef {object} Tenant
 * @property {string} id `acme` or `acme/web`
 * @property {string} organization
 * @property {string} [project]
 * @property {readonly Readonly<Record<string, unknown>>[]} limits that all of its keys share
 * @property {readonly Readonly<Record<string, unknown>>[]} [keyLimits] of each key
 * @property {'configuration' | 'database'} origin
 * @property {true} [overridden]
 */
/** @typedef {{ readonly tenants: readonly Tenant[], readonly next: string | null }} TenantPage */
/** @param {Readonly<Record<string, string>>} query @param {AbortSignal} signal */
export const readTenants = async ({ organization, cursor }, signal) =>
  /** @type {TenantPage} */ (await requestJson(`/admin/tenants?${writeQuery({ organization, cursor })}`, signal));

/** @param {string} id */
export const pathOfTenant = (id) => `/admin/tenants/${encodeURIComponent(id)}`;

/** The current state, with its entity tag for `If-Match`. @param {string} id */
export const readTenant = async (id) => {
  const response = await call(pathOfTenant(id));
  return { tenant: /** @type {Tenant} */ (await response.json()), etag: response.headers.get('etag') ?? '*' };
};

/** One while it is edited. Without a project it is the organization itself. */
export const emptyTenant = {
  organization: '',
  project: '',
  limits: /** @type {readonly DraftLimit[]} */ ([]),
  inheritsKeyLimits: true,
  keyLimits: /** @type {readonly DraftLimit[]} */ ([]),
};
/** @typedef {typeof emptyTenant} TenantDraft */

/** @param {Tenant} tenant @returns {TenantDraft} */
export const draftOfTenant = ({ organization, project = '', limits, keyLimits }) => ({
  organization,
  project,
  limits: limits.map(draftLimit),
  inheritsKeyLimits: keyLimits === undefined,
  keyLimits: (keyLimits ?? []).map(draftLimit),
});

/** The body of `POST /admin/tenants`. @param {TenantDraft} draft */
export const writeNewTenant = ({ organization, project, limits, inheritsKeyLimits, keyLimits }) => ({
  organization: organization.trim(),
  ...(project.trim() === '' ? {} : { project: project.trim() }),
  limits: limits.map(writeLimit),
  ...(inheritsKeyLimits ? {} : { keyLimits: keyLimits.map(writeLimit) }),
});

/** The body of `PATCH /admin/tenants/{id}`. @param {TenantDraft} draft */
export const writeTenantUpdate = ({ limits, inheritsKeyLimits, keyLimits }) => ({
  limits: limits.map(writeLimit),
  keyLimits: inheritsKeyLimits ? null : keyLimits.map(writeLimit),
});

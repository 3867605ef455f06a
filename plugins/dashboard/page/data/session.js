import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { requestJson } from './api.js';
import { readMe } from './my-keys.js';

/** @import { Me } from './my-keys.js' */
/** @typedef {'developer' | 'viewer' | 'editor' | 'admin'} Role */
/** @typedef {{ readonly 'x-koine-role'?: Role }} OpenApiCall */
/**
 * The signed-in operator, and the calls that this gateway has.
 * @typedef {object} Session
 * @property {{ readonly name: string, readonly role: Role }} actor
 * @property {boolean} login there is a session to sign out of
 * @property {readonly { readonly path: string, readonly title: string }[]} pages those of plugins
 * @property {readonly Readonly<Record<'path' | 'title' | 'owner' | 'page', string>>[]} panels those of plugins
 * @property {Readonly<Record<string, Readonly<Record<string, OpenApiCall>>>>} paths of the OpenAPI document
 * @property {string} version
 * @property {Me['keys']} keys what keys the person can make
 */

const roles = ['developer', 'viewer', 'editor', 'admin'];

/** Actors that are not people. */
const programs = new Set(['token', 'loopback']);

/** Before the first response no call is known. The gateway checks the role in any case. @type {Session} */
export const UNKNOWN = {
  actor: { name: '', role: 'admin' },
  login: false,
  pages: [],
  panels: [],
  paths: {},
  version: '',
  keys: undefined,
};
export const SessionContext = createContext(UNKNOWN);

/** @param {AbortSignal} signal @returns {Promise<Session>} */
export const readSession = async (signal) => {
  const pages = /** @type {Pick<Session, 'pages' | 'panels' | 'login' | 'actor'>} */ (
    await requestJson('/admin/pages', signal)
  );
  const { name, role } = pages.actor;
  const { keys } = programs.has(name) ? { keys: undefined } : await readMe(signal);
  // A developer may read nothing else.
  if (role === 'developer') return { ...UNKNOWN, ...pages, keys };
  const [document, version] = await Promise.all([
    requestJson('/admin/openapi.json', signal),
    requestJson('/version', signal),
  ]);
  return {
    ...pages,
    .../** @type {Pick<Session, 'paths'>} */ (document),
    .../** @type {Pick<Session, 'version'>} */ (version),
    keys,
  };
};

/**
 * Which calls the gateway has, and whether the role of the operator permits them.
 * @returns {{ session: Session, has: (call: string) => boolean, refusal: (call: string) => string | undefined }}
 */
export const useSession = () => {
  const session = useContext(SessionContext);
  /** @param {string} call such as `POST /admin/keys` */
  const find = (call) => {
    const [method = '', path = ''] = call.split(' ', 2);
    return session.paths[path]?.[method.toLowerCase()];
  };
  return {
    session,
    has: (call) => find(call) !== undefined,
    refusal: (call) => {
      const least = find(call)?.['x-koine-role'] ?? 'viewer';
      const { role } = session.actor;
      return roles.indexOf(role) >= roles.indexOf(least)
        ? undefined
        : `Your role is ${role}. This needs the role ${least}.`;
    },
  };
};

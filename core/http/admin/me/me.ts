import { isObject } from '../../../canonical/json/members.ts';
import { allowsModel } from '../../../catalog/model-pattern.ts';
import { omitUndefined } from '../../../canonical/json/omit-undefined.ts';
import type { PersonalKeysConfig } from '../../../config/admin-config.ts';
import { formatDuration } from '../../../config/units/duration.ts';
import { readKeyRequest } from '../../../config/validate/read-key.ts';
import { writeLimit } from '../../../config/write/write-limit.ts';
import type {
  AdminActor,
  AdminHandler,
  AdminReply,
  AdminRequest,
  AdminRouter,
  CallDescription,
} from '../../../contracts/admin.ts';
import { GatewayError, invalidRequest } from '../../../errors/gateway-error.ts';
import type { KeyOwner, PersonalKeys, PersonalRequest } from '../../../tenancy/personal-keys.ts';
import { describeCreated, describeRevoked, describeRotated, readOverlap } from '../keys.ts';
import { keyCalls, keyList } from '../key-calls.ts';
import { roles } from '../roles.ts';
import { count, listOf, objectOf, onlyThese, text, texts } from '../schemas.ts';

/** The OpenAPI descriptions of the calls for a signed-in person. */
const meCalls = {
  me: {
    summary: 'The signed-in person, and what keys the person can make.',
    role: 'developer',
    answer: objectOf(
      {
        name: text,
        role: { enum: roles },
        keys: objectOf(
          {
            projects: texts,
            models: texts,
            maxKeys: count,
            maxLifetime: text,
            limits: listOf({ type: 'object' }),
            url: text,
            available: texts,
            port: count,
            tls: { type: 'boolean' },
          },
          ['projects', 'maxKeys', 'maxLifetime', 'available', 'port', 'tls'],
        ),
      },
      ['name', 'role'],
    ),
  },
  list: {
    summary: 'The own keys of the signed-in person that are valid, or were in the last 31 days.',
    role: 'developer',
    answer: keyList,
  },
  create: {
    summary: 'Creates a key for the signed-in person. Only this response has its secret.',
    role: 'developer',
    body: onlyThese({ name: text, project: text, models: texts, expires: text }, ['name']),
    status: 201,
    answer: keyCalls.create.answer,
  },
  rotate: {
    summary: 'Replaces an own key by a new one with a new secret. The old one stays valid for the overlap.',
    role: 'developer',
    body: keyCalls.rotate.body,
    status: 201,
    answer: keyCalls.rotate.answer,
  },
  revoke: { summary: 'Revokes an own key permanently.', role: 'developer', answer: keyCalls.revoke.answer },
} as const satisfies Readonly<Record<string, CallDescription>>;

/** What people can do with keys of their own. */
export interface SelfService {
  /** Where clients reach the gateway if the rules have no address. */
  readonly server: { readonly port: number; readonly tls: boolean };
  /** The models of the configuration, and their aliases. */
  readonly models: readonly string[];
  readonly rules: PersonalKeysConfig;
  readonly keys: PersonalKeys;
}

const MEMBERS: readonly string[] = ['name', 'project', 'models', 'expires'];

/** Reads `{ name, project?, models?, expires? }`. */
const readRequest = (body: unknown, { projects }: KeyOwner): PersonalRequest => {
  if (!isObject(body)) throw invalidRequest('', 'The body must be an object: {"name":"laptop"}.');
  const unknown = Object.keys(body).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined)
    throw invalidRequest(
      unknown,
      `${JSON.stringify(unknown)} cannot be chosen for a personal key; the body can have ${MEMBERS.join(', ')}.`,
    );
  const { project: given = projects.length === 1 ? projects[0] : undefined, ...settings } = body;
  const [, organization, project] = /^([^/]+)\/([^/]+)$/.exec(String(given)) ?? [];
  if (organization === undefined || project === undefined)
    throw invalidRequest('project', `project must be one of your projects: ${projects.join(', ')}.`);
  return readKeyRequest({ ...settings, organization, project });
};

const isPerson = (actor: AdminActor): actor is AdminActor & Pick<KeyOwner, 'id'> => actor.id !== undefined;

const readPerson = ({ actor }: AdminRequest): AdminActor & Pick<KeyOwner, 'id'> => {
  if (isPerson(actor)) return actor;
  throw new GatewayError(
    'permission_denied',
    'Personal keys are for people who have signed in with admin.oidc. With the admin token, use /admin/keys.',
  );
};

const readOwner = (request: AdminRequest): KeyOwner => {
  const { name, id, projects = [] } = readPerson(request);
  if (projects.length > 0) return { name, id, projects };
  throw new GatewayError(
    'permission_denied',
    `There is no project in which ${name} can make keys. Ask an operator to add one of your values in the claim of ` +
      'admin.oidc.rolesClaim to admin.personalKeys.projects of gateway.yaml, and sign in again.',
  );
};

const describe = (request: AdminRequest, service: SelfService | undefined): AdminReply => {
  const { name, role, projects = [] } = readPerson(request);
  if (service === undefined || projects.length === 0) return { body: { name, role } };
  const { rules, server } = service;
  const { models, maxKeys, maxLifetime, limits, url } = rules;
  const keys = omitUndefined({
    projects,
    models: models.length === 0 ? undefined : models,
    maxKeys,
    maxLifetime: formatDuration(maxLifetime),
    limits: limits?.map(writeLimit),
    available: service.models.filter((id) => models.length === 0 || allowsModel(models, id)),
    url,
    ...server,
  });
  return { body: { name, role, keys } };
};

const create = async (request: AdminRequest, keys: PersonalKeys): Promise<AdminReply> => {
  const owner = readOwner(request);
  return describeCreated(await keys.create(owner, readRequest(request.body, owner)));
};

const rotate = async (request: AdminRequest, keys: PersonalKeys): Promise<AdminReply> => {
  const owner = readOwner(request);
  const overlap = readOverlap(request.body);
  return describeRotated(await keys.rotate(owner, request.params['id'] ?? '', overlap));
};

/** Also for people who have lost their projects. */
const revoke = async (request: AdminRequest, keys: PersonalKeys): Promise<AdminReply> =>
  describeRevoked(await keys.revoke(readPerson(request), request.params['id'] ?? ''));

const list = async (request: AdminRequest, keys: PersonalKeys): Promise<AdminReply> => ({
  body: { keys: await keys.list(readPerson(request)) },
});

/** Adds the calls under /admin/me: docs/govern/personal-keys.md. @param service absent: people cannot make keys */
export function addMeCalls(router: AdminRouter, service: SelfService | undefined): void {
  const add =
    (handle: typeof create): AdminHandler =>
    (request) => {
      if (service !== undefined) return handle(request, service.keys);
      throw new GatewayError(
        'not_found',
        'People cannot make keys at this gateway: gateway.yaml has no admin.personalKeys.',
      );
    };
  router.get('/admin/me', (request) => describe(request, service), meCalls.me);
  router.get('/admin/me/keys', add(list), meCalls.list);
  router.post('/admin/me/keys', add(create), meCalls.create);
  router.post('/admin/me/keys/{id}/rotate', add(rotate), meCalls.rotate);
  router.delete('/admin/me/keys/{id}', add(revoke), meCalls.revoke);
}

import { hostedToolKinds } from '../../canonical/tool.ts';
import { mapValues } from '../../canonical/json/map-values.ts';
import type { CallDescription } from '../../contracts/admin.ts';
import { keyParameters } from './key-query.ts';
import {
  flag,
  listOf,
  objectOf,
  onlyThese,
  optionalText,
  orNull,
  text,
  textMembers,
  texts,
  time,
  wholeOf,
} from './schemas.ts';

const settings = {
  models: texts,
  limits: listOf({ type: 'object' }),
  losses: { enum: ['allow', 'warn', 'reject'] },
  vendorState: { enum: ['allow', 'owned', 'refuse'] },
  costHeaders: { enum: ['off', 'on'] },
  hostedTools: {
    anyOf: [
      { enum: ['drop', 'refuse'] },
      listOf({ enum: hostedToolKinds }),
      onlyThese({ allow: listOf({ enum: hostedToolKinds }), otherwise: { enum: ['drop', 'refuse'] } }),
    ],
  },
  tags: textMembers,
  metadata: textMembers,
  owner: text,
};
const names = { name: text, organization: text, project: text };
const members = {
  id: text,
  prefix: text,
  ...names,
  ...settings,
  ownerId: text,
  disabled: flag,
  revoked: flag,
  revokedAt: time,
  createdAt: time,
  expiresAt: time,
  origin: { enum: ['configuration', 'database'] },
};
const always = ['id', 'name', 'organization', 'project', 'models', 'disabled', 'origin'];

const key = objectOf(members, always);
const request = onlyThese({ ...names, ...settings, expires: text, allowUnknownProject: flag }, ['name']);
const secrets = { secret: text, warnings: texts };
const issued = objectOf({ ...members, ...secrets }, [...always, ...Object.keys(secrets)]);

/** A list that is no page. */
export const keyList = wholeOf({ keys: listOf(key) });

/** The OpenAPI descriptions of the key calls. */
export const keyCalls = {
  list: {
    summary: 'The keys of the configuration and of the database, in pages.',
    query: keyParameters,
    answer: wholeOf({ keys: listOf(key), next: optionalText }),
  },
  get: { summary: 'One key, by its id or its prefix.', answer: key },
  projects: {
    summary: 'The projects that keys can be made in: those of the configuration, and default/default.',
    answer: wholeOf({ projects: listOf(objectOf({ organization: text, project: text })) }),
  },
  create: {
    summary:
      'Creates a key in the database. Only this response has its secret. If-Match: the ETag of the list of all keys.',
    role: 'editor',
    conditional: true,
    body: request,
    status: 201,
    answer: issued,
  },
  createAll: {
    summary: 'Creates up to 1,000 keys in the database, all or none. If-Match: the ETag of the list of all keys.',
    role: 'editor',
    conditional: true,
    body: onlyThese({ keys: listOf(request) }, ['keys']),
    status: 201,
    answer: wholeOf({ keys: listOf(issued) }),
  },
  change: {
    summary: 'Changes members of a key of the database; null removes one. Members that are left out stay as they are.',
    role: 'editor',
    conditional: true,
    body: onlyThese({ name: text, disabled: flag, ...mapValues({ ...settings, expiresAt: time }, orNull) }),
    answer: objectOf({ ...members, warnings: texts }, [...always, 'warnings']),
  },
  rotate: {
    summary: 'Replaces a key by a new one with a new secret. The old one stays valid for the overlap.',
    role: 'editor',
    conditional: true,
    body: onlyThese({ overlap: text }),
    status: 201,
    answer: objectOf({ ...members, ...secrets, replaced: key }, [...always, ...Object.keys(secrets), 'replaced']),
  },
  revoke: { summary: 'Revokes a key permanently.', role: 'editor', conditional: true, answer: key },
} as const satisfies Readonly<Record<string, CallDescription>>;

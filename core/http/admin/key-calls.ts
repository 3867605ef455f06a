import type { CallDescription } from '../../contracts/admin.ts';
import { flag, listOf, objectOf, onlyThese, text, texts, time } from './schemas.ts';

const settings = {
  models: texts,
  limits: listOf({ type: 'object' }),
  losses: { enum: ['allow', 'warn', 'reject'] },
  vendorState: { enum: ['allow', 'owned', 'refuse'] },
  costHeaders: { enum: ['off', 'on'] },
  hostedTools: { enum: ['drop', 'refuse'] },
};
const names = { name: text, organization: text, project: text };
const members = {
  id: text,
  prefix: text,
  ...names,
  ...settings,
  disabled: flag,
  createdAt: time,
  expiresAt: time,
  origin: { enum: ['configuration', 'database'] },
};
const always = ['id', 'name', 'organization', 'project', 'models', 'disabled', 'origin'];

const key = objectOf(members, always);
const issued = { ...members, secret: text, warnings: texts };

/** The OpenAPI descriptions of the key calls. */
export const keyCalls = {
  list: {
    summary: 'All keys: those of the configuration, then those of the database.',
    query: { organization: 'Only keys of this organization.', project: 'Only keys of projects with this name.' },
    answer: objectOf({ keys: listOf(key) }, ['keys']),
  },
  get: { summary: 'One key, by its id or its prefix.', answer: key },
  create: {
    summary:
      'Creates a key in the database. Only this response has its secret. If-Match: the ETag of the list of all keys.',
    conditional: true,
    body: onlyThese({ ...names, ...settings, expires: text }, ['name']),
    status: 201,
    answer: objectOf(issued, [...always, 'secret', 'warnings']),
  },
  rotate: {
    summary: 'Replaces a key by a new one with a new secret. The old one stays valid for the overlap.',
    conditional: true,
    body: onlyThese({ overlap: text }),
    status: 201,
    answer: objectOf({ ...issued, replaced: key }, [...always, 'secret', 'warnings', 'replaced']),
  },
  revoke: { summary: 'Revokes a key permanently.', conditional: true, answer: key },
} as const satisfies Readonly<Record<string, CallDescription>>;

import type { CallDescription } from '../../contracts/admin.ts';
import { flag, listOf, objectOf, onlyThese, text, texts, time } from './schemas.ts';

const settings = {
  models: texts,
  limits: listOf({ type: 'object' }),
  losses: { enum: ['allow', 'warn', 'reject'] },
  vendorState: { enum: ['allow', 'refuse'] },
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

/** How the calls of keys stand in the description of the API. */
export const keyCalls = {
  list: {
    summary: 'Every key, of the configuration first, then of the database.',
    query: { organization: 'Of this organization alone.', project: 'Of projects of this name alone.' },
    answer: objectOf({ keys: listOf(key) }, ['keys']),
  },
  get: { summary: 'One key, by its id or its prefix.', answer: key },
  create: {
    summary:
      'Makes a key in the database. Its secret stands in the answer, and nowhere else. If-Match: of the list of all keys.',
    conditional: true,
    body: onlyThese({ ...names, ...settings, expires: text }, ['name']),
    status: 201,
    answer: objectOf(issued, [...always, 'secret', 'warnings']),
  },
  rotate: {
    summary: 'A new secret in the place of an old one, which goes on for the overlap.',
    conditional: true,
    body: onlyThese({ overlap: text }),
    status: 201,
    answer: objectOf({ ...issued, replaced: key }, [...always, 'secret', 'warnings', 'replaced']),
  },
  revoke: { summary: 'Revokes a key for good.', conditional: true, answer: key },
} as const satisfies Readonly<Record<string, CallDescription>>;

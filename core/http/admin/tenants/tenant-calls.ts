import type { CallDescription } from '../../../contracts/admin.ts';
import { flag, listOf, objectOf, onlyThese, optionalText, orNull, text, texts, time, wholeOf } from '../schemas.ts';

const limits = listOf({ type: 'object' });
const members = {
  id: text,
  organization: text,
  project: text,
  limits,
  keyLimits: limits,
  origin: { enum: ['configuration', 'database'] },
  overridden: flag,
  createdAt: time,
  changedAt: time,
};
const always = ['id', 'organization', 'limits', 'origin'];
const tenant = objectOf(members, always);
const changed = objectOf({ ...members, warnings: texts }, [...always, 'warnings']);

/** The OpenAPI descriptions of the calls for organizations and projects. */
export const tenantCalls = {
  list: {
    summary: 'The organizations and projects of the configuration and of the database, in pages.',
    query: {
      organization: 'Only this organization and its projects.',
      limit: 'Entries in one response, at most 1,000. Default: 100.',
      cursor: 'The `next` of the response before, to continue.',
    },
    answer: wholeOf({ tenants: listOf(tenant), next: optionalText }),
  },
  get: { summary: 'One organization, by its name, or one project, by acme/web.', answer: tenant },
  create: {
    summary: 'Creates an organization, or a project of one, in the database.',
    role: 'admin',
    body: onlyThese({ organization: text, project: text, limits, keyLimits: limits }, ['organization']),
    status: 201,
    answer: changed,
  },
  change: {
    summary: 'Changes the limits of an organization or a project of the database. Members left out stay as they are.',
    role: 'admin',
    conditional: true,
    body: onlyThese({ limits, keyLimits: orNull(limits) }),
    answer: changed,
  },
  remove: {
    summary: 'Removes an organization or a project of the database that no key uses.',
    role: 'admin',
    conditional: true,
    answer: tenant,
  },
} as const satisfies Readonly<Record<string, CallDescription>>;

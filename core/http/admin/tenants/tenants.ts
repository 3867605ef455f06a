import { readTenantRequest, readTenantUpdate } from '../../../config/validate/read-tenant.ts';
import type { AdminReply, AdminRequest, AdminRouter, CallDescription } from '../../../contracts/admin.ts';
import { GatewayError } from '../../../errors/gateway-error.ts';
import type { ListedTenant, TenantRegister } from '../../../tenancy/tenants/tenant-register.ts';
import { checkMatch, fingerprint, tagOf } from '../entity-tag.ts';
import { checkParameters, readLimit } from '../query.ts';
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
const tenantCalls = {
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

const PAGE = 100;
const MAX_PAGE = 1_000;

const tenantTag = (tenant: ListedTenant): string => tagOf(fingerprint(tenant));
const idOf = ({ params: { id = '' } }: AdminRequest): string => id;

const parameters = Object.keys(tenantCalls.list.query);

const list = async ({ query }: AdminRequest, tenants: TenantRegister): Promise<AdminReply> => {
  checkParameters(query, parameters);
  const limit = readLimit(query, PAGE, MAX_PAGE);
  const { organization, cursor } = query;
  const matching = (await tenants.list()).filter(
    (tenant) => organization === undefined || tenant.organization === organization,
  );
  // One that is made meanwhile is on its page or before: none is left out.
  const left = cursor === undefined ? matching : matching.filter(({ id }) => id > cursor);
  const cut = left.slice(0, limit);
  const last = cut.at(-1);
  // Two can have one id: they are on one page.
  const page = [...cut, ...left.slice(limit).filter(({ id }) => id === last?.id)];
  return { body: { tenants: page, next: page.length < left.length ? (last?.id ?? null) : null } };
};

/**
 * Adds the calls under /admin/tenants: docs/reference/admin.md.
 * @param warnings of what a change has less effect on than expected
 */
export function addTenantCalls(router: AdminRouter, tenants: TenantRegister, warnings: () => readonly string[]): void {
  const createCheck = (request: AdminRequest) => (present: ListedTenant) =>
    checkMatch(request, tenantTag(present), `The state of ${present.id} is`, 'GET /admin/tenants/{id}');
  const describe = (tenant: ListedTenant): Pick<AdminReply, 'headers' | 'body'> => ({
    headers: { etag: tenantTag(tenant) },
    body: { ...tenant, warnings: warnings() },
  });
  router.get('/admin/tenants', (request) => list(request, tenants), tenantCalls.list);
  router.get(
    '/admin/tenants/{id}',
    async (request) => {
      const tenant = await tenants.get(idOf(request));
      return { headers: { etag: tenantTag(tenant) }, body: tenant };
    },
    tenantCalls.get,
  );
  router.post(
    '/admin/tenants',
    async ({ body }) => {
      const after = await tenants.create(readTenantRequest(body));
      return { status: 201, ...describe(after), audit: { target: after.id, after } };
    },
    tenantCalls.create,
  );
  router.patch(
    '/admin/tenants/{id}',
    async (request) => {
      const id = idOf(request);
      const { before, after } = await tenants.change(id, readTenantUpdate(request.body), createCheck(request));
      if (after === undefined) throw new GatewayError('internal_error', 'A change has removed a tenant.');
      return { ...describe(after), audit: { target: id, before, after } };
    },
    tenantCalls.change,
  );
  router.delete(
    '/admin/tenants/{id}',
    async (request) => {
      const id = idOf(request);
      const { before } = await tenants.remove(id, createCheck(request));
      return { body: before, audit: { target: id, before } };
    },
    tenantCalls.remove,
  );
}

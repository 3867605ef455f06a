/** @import { Tenant, TenantPage } from '../../data/tenants/tenants.js' */
/** @import { Route } from '../../data/route.js' */
import { useState } from 'preact/hooks';
import { Badge } from '../../components/badge.js';
import { TextChoice } from '../../components/choice.js';
import { useDialog } from '../../components/dialog.js';
import { html } from '../../components/html.js';
import { Page, Panel } from '../../components/page.js';
import { Path } from '../../components/path.js';
import { Table } from '../../components/table/table.js';
import { summarizeLimit } from '../../data/limits.js';
import { usePoll, useRevision } from '../../data/poll.js';
import { changeQuery, linkTo } from '../../data/route.js';
import { useSession } from '../../data/session.js';
import { readTenant, readTenants } from '../../data/tenants/tenants.js';
import { CreateTenant, EditTenant, RemoveTenant } from './tenant-dialogs.js';

/** @typedef {'small' | 'medium'} Width */
const columns = [
  { title: 'Organization or project' },
  { title: 'All keys share', not: /** @type {Width} */ ('small') },
  { title: 'Each key has', not: /** @type {Width} */ ('medium') },
  { title: 'Defined in', not: /** @type {Width} */ ('small') },
  { title: 'Actions' },
];

/** @param {readonly Readonly<Record<string, unknown>>[] | undefined} limits @param {string} none */
const describeLimits = (limits, none) =>
  limits === undefined || limits.length === 0
    ? html`<span class="muted">${none}</span>`
    : html`<span class="wrap">${limits.map(summarizeLimit).join(', ')}</span>`;

/** @param {{ tenant: Tenant, open: (action: string) => void }} props */
const Actions = ({ tenant, open }) => {
  const { refusal } = useSession();
  if (tenant.origin === 'configuration') return html`<span class="muted">in the file</span>`;
  const reason = refusal('PATCH /admin/tenants/{id}');
  /** @param {string} action @param {string} [style] */
  const button = (action, style) => html`<button
    type="button"
    class=${style}
    disabled=${reason !== undefined}
    title=${reason}
    aria-label=${`${action} ${tenant.id}`}
    onClick=${() => open(action)}
  >
    ${action}
  </button>`;
  return html`<div class="pair">${button('Edit')} ${button('Remove', 'danger')}</div>`;
};

/** @param {Tenant} tenant @param {(action: string) => void} open */
const describeRow = (tenant, open) => {
  const { id, project, limits, keyLimits, origin, overridden } = tenant;
  return {
    key: `${origin} ${id}`,
    cells: [
      html`<span class="wrap"><${Path} name=${id} /></span>
        <span class="muted below">${project === undefined ? 'organization' : 'project'}</span>
        <span class="below only-small">${describeLimits(limits, 'no limits')}</span>`,
      describeLimits(limits, 'no limits'),
      keyLimits === undefined ? html`<span class="muted">those above</span>` : describeLimits(keyLimits, 'no limits'),
      html`<${Badge} state=${origin} />
        ${overridden && html`<span class="muted below">the file has it too, and applies</span>`}`,
      html`<${Actions} tenant=${tenant} open=${open} />`,
    ],
  };
};

/** @param {{ page: TenantPage, route: Route, reload: () => void }} props */
const List = ({ page: { tenants, next }, route, reload }) => {
  const none = /** @type {{ name: string, tenant: Tenant, etag: string } | undefined} */ (undefined);
  const { opened: action, open: openDialog, close } = useDialog(none, reload);
  const [problem, setProblem] = useState('');
  /** @param {string} id */
  const open = (id) => async (/** @type {string} */ name) => {
    try {
      openDialog({ name, ...(await readTenant(id)) });
      setProblem('');
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  if (tenants.length === 0)
    return html`<p class="card empty">There are no organizations yet. Without one, keys share no limits.</p>`;
  return html`
    ${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}
    <${Table}
      caption="Organizations and projects"
      columns=${columns}
      rows=${tenants.map((tenant) => describeRow(tenant, open(tenant.id)))}
      pages=${{ route, next, first: 'First', further: 'Next' }}
    />
    ${action?.name === 'Edit' && html`<${EditTenant} tenant=${action.tenant} etag=${action.etag} close=${close} />`}
    ${action?.name === 'Remove' && html`<${RemoveTenant} tenant=${action.tenant} etag=${action.etag} close=${close} />`}
  `;
};

/** Organizations, projects and their limits. @param {{ route: Route }} props */
export const Tenants = ({ route }) => {
  const { refusal } = useSession();
  const [revision, reload] = useRevision();
  const { opened: isNew, open, close } = useDialog(false, reload);
  const identity = `${revision} ${JSON.stringify(route.query)}`;
  const polled = usePoll((signal) => readTenants(route.query, signal), 10_000, identity);
  const names = [...new Set((polled.data?.tenants ?? []).map(({ organization }) => organization))];
  const reason = refusal('POST /admin/tenants');
  const actions = html`<a class="button" href=${linkTo('limits')}>How much is used</a>
    <button type="button" class="primary" disabled=${reason !== undefined} onClick=${() => open(true)}>
      Create
    </button>`;
  return html`<${Page}
    title="Organizations"
    note=${reason ?? 'Those of gateway.yaml are changed in the file; others here. A change applies within a second.'}
    actions=${actions}
  >
    <${Panel}
      id="tenants"
      title="Organizations and projects"
      isTitleHidden
      polled=${polled}
      controls=${html`<div class="controls">
        <${TextChoice}
          id="tenants-organization"
          label="Organization"
          value=${route.query['organization'] ?? ''}
          suggestions=${names}
          placeholder="all"
          choose=${(/** @type {string} */ name) =>
            changeQuery(route, { organization: name === '' ? undefined : name, cursor: undefined })}
        />
      </div>`}
      show=${(/** @type {TenantPage} */ page) => html`<${List} page=${page} route=${route} reload=${reload} />`}
    />
    ${isNew && html`<${CreateTenant} organizations=${names} close=${close} />`}
  <//>`;
};

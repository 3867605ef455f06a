/** @import { Tenant, TenantDraft } from '../../data/tenants/tenants.js' */
import { Dialog } from '../../components/dialog.js';
import { html } from '../../components/html.js';
import { useAction } from '../../components/submit.js';
import { send } from '../../data/api.js';
import {
  draftOfTenant,
  emptyTenant,
  pathOfTenant,
  writeNewTenant,
  writeTenantUpdate,
} from '../../data/tenants/tenants.js';
import { TenantForm } from './tenant-form.js';

/** @typedef {(isChanged: boolean) => void} Close */

/** @param {{ organizations: readonly string[], close: Close }} props */
export const CreateTenant = ({ organizations, close }) => html`<${Dialog}
  title="Create an organization or a project"
  close=${() => close(false)}
>
  <${TenantForm}
    initial=${emptyTenant}
    isNew=${true}
    organizations=${organizations}
    send=${async (/** @type {TenantDraft} */ draft) => {
      await send('POST', '/admin/tenants', writeNewTenant(draft));
      close(true);
    }}
  />
<//>`;

/**
 * The change is refused if another operator has made one since the form was opened.
 * @param {{ tenant: Tenant, etag: string, close: Close }} props
 */
export const EditTenant = ({ tenant, etag, close }) => html`<${Dialog}
  title=${`Edit ${tenant.id}`}
  close=${() => close(false)}
>
  <${TenantForm}
    initial=${draftOfTenant(tenant)}
    isNew=${false}
    organizations=${[]}
    send=${async (/** @type {TenantDraft} */ draft) => {
      await send('PATCH', pathOfTenant(tenant.id), writeTenantUpdate(draft), etag);
      close(true);
    }}
  />
<//>`;

/** @param {{ tenant: Tenant, etag: string, close: Close }} props */
export const RemoveTenant = ({ tenant, etag, close }) => {
  const { isBusy, problem, start } = useAction(async () => {
    await send('DELETE', pathOfTenant(tenant.id), undefined, etag);
    close(true);
  });
  return html`<${Dialog} title=${`Remove ${tenant.id}`} close=${() => close(false)}>
    <p>
      Its limits end within a second. What was used stays in the ledger. It cannot be removed while it has keys that are
      not revoked.
    </p>
    ${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}
    <p class="actions">
      <button type="button" class="danger" disabled=${isBusy} onClick=${start}>Remove</button>
      <button type="button" onClick=${() => close(false)}>Cancel</button>
    </p>
  <//>`;
};

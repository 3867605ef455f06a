/** @import { DraftLimit } from '../../data/limits.js' */
/** @import { TenantDraft } from '../../data/tenants/tenants.js' */
import { html } from '../../components/html.js';
import { LimitEditor } from '../../components/keys/limit-editor.js';
import { useForm } from '../../components/submit.js';

const fields = new Set(['organization', 'project', 'limits', 'keyLimits']);

/** @typedef {{ inheritsLimits?: boolean, limits?: readonly DraftLimit[] }} LimitChange */

/**
 * @param {object} props
 * @param {TenantDraft} props.initial
 * @param {boolean} props.isNew
 * @param {readonly string[]} props.organizations
 * @param {(draft: TenantDraft) => Promise<void>} props.send
 */
export const TenantForm = ({ initial, isNew, organizations, send }) => {
  const { draft, change, errorOf, field, submit, end } = useForm('tenant', initial, fields, send);
  return html`
    <form onSubmit=${submit}>
      ${
        isNew &&
        html`<div class="field-row">
          ${field('organization', 'Organization', { list: 'tenant-organizations', required: true })}
          <datalist id="tenant-organizations">
            ${organizations.map((name) => html`<option key=${name} value=${name}></option>`)}
          </datalist>
          ${field('project', 'Project', { hint: 'Empty: the organization itself' })}
        </div>`
      }
      <${LimitEditor}
        legend="Limits and budgets that all keys share"
        above=""
        none="Without any, its keys share no limits."
        inherits=${false}
        limits=${draft.limits}
        error=${errorOf('limits')}
        change=${(/** @type {LimitChange} */ { limits }) => limits !== undefined && change({ limits })}
      />
      <${LimitEditor}
        legend="Limits of each key"
        id="keyLimits"
        noun="Key limit"
        above="Those of the level above"
        none="Without any, a key has no limits unless it has its own."
        inherits=${draft.inheritsKeyLimits}
        limits=${draft.keyLimits}
        error=${errorOf('keyLimits')}
        change=${(/** @type {LimitChange} */ { inheritsLimits = draft.inheritsKeyLimits, limits = draft.keyLimits }) =>
          change({ inheritsKeyLimits: inheritsLimits, keyLimits: limits })}
      />
      ${end(isNew ? 'Create' : 'Save')}
    </form>
  `;
};

/** @import { DraftLimit } from '../../data/tenants/limit-drafts.js' */
/** @import { TenantDraft } from '../../data/tenants/tenants.js' */
import { useState } from 'preact/hooks';
import { Field } from '../../components/field.js';
import { html } from '../../components/html.js';
import { LimitEditor } from '../../components/keys/limit-editor.js';
import { useSubmit } from '../../components/submit.js';

const fields = new Set(['organization', 'project', 'limits', 'keyLimits']);

/** @typedef {{ inheritsLimits?: boolean, limits?: readonly DraftLimit[] }} LimitChange */

/**
 * @param {object} props
 * @param {TenantDraft} props.draft
 * @param {readonly string[]} props.organizations to choose from
 * @param {(part: Partial<TenantDraft>) => void} props.change
 * @param {(name: string) => string | undefined} props.errorOf
 */
const Names = ({ draft, organizations, change, errorOf }) => html`<div class="field-row">
  <${Field}
    id="tenant-organization"
    label="Organization"
    value=${draft.organization}
    change=${(/** @type {string} */ organization) => change({ organization })}
    error=${errorOf('organization')}
    list="tenant-organizations"
    required=${true}
  />
  <datalist id="tenant-organizations">
    ${organizations.map((name) => html`<option key=${name} value=${name}></option>`)}
  </datalist>
  <${Field}
    id="tenant-project"
    label="Project"
    value=${draft.project}
    change=${(/** @type {string} */ project) => change({ project })}
    error=${errorOf('project')}
    hint="Empty: the organization itself"
  />
</div>`;

/**
 * @param {object} props
 * @param {TenantDraft} props.initial
 * @param {boolean} props.isNew
 * @param {readonly string[]} props.organizations
 * @param {(draft: TenantDraft) => Promise<void>} props.send
 */
export const TenantForm = ({ initial, isNew, organizations, send }) => {
  const [draft, setDraft] = useState(initial);
  const { isBusy, problem, submit } = useSubmit(fields, () => send(draft));
  /** @param {Partial<TenantDraft>} part */
  const change = (part) => setDraft((last) => ({ ...last, ...part }));
  /** @param {string} name */
  const errorOf = (name) => (problem.member === name ? problem.message : undefined);
  return html`
    <form onSubmit=${submit}>
      ${isNew && html`<${Names} draft=${draft} organizations=${organizations} change=${change} errorOf=${errorOf} />`}
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
      ${problem.member === '' && html`<p class="bad" role="alert">${problem.message}</p>`}
      <p class="actions"><button class="primary" disabled=${isBusy}>${isNew ? 'Create' : 'Save'}</button></p>
    </form>
  `;
};

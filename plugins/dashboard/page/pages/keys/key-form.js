/** @import { Draft } from './key-draft.js' */
import { useState } from 'preact/hooks';
import { Field, listOptions } from '../../components/field.js';
import { html } from '../../components/html.js';
import { useSubmit } from '../../components/submit.js';
import { LimitEditor } from './limit-editor.js';

/** @typedef {(name: keyof Draft, label: string, more?: Readonly<Record<string, unknown>>) => unknown} ShowField */

const policies = /** @type {const} */ ([
  ['losses', 'Losses in translation', ['', 'allow', 'warn', 'reject']],
  ['costHeaders', 'Cost in response headers', ['', 'off', 'on']],
  ['vendorState', 'State kept by vendors', ['', 'owned', 'allow', 'refuse']],
]);
/** Members that have a field; a problem with another one is shown above the button. */
const fields = new Set(
  ['name', 'organization', 'project', 'owner', 'models', 'limits', 'expires', 'expiresAt', 'tags', 'metadata']
    .concat('hostedTools')
    .concat(policies.map(([name]) => name)),
);

const PAIRS = 'name=value, one on each line';

/** @param {{ field: ShowField }} props */
const MoreSettings = ({ field }) => html`
  <details>
    <summary>More settings</summary>
    <div class="field-row">
      ${policies.map(([name, label, values]) =>
        field(name, label, { tag: 'select', children: listOptions(values, 'default') }),
      )}
    </div>
    ${field('hostedTools', 'Hosted tools', {
      hint: 'The only tools that can run at vendors (web_search, mcp), or none; drop or refuse others. Empty: all.',
    })}
    ${field('owner', 'Owner', { hint: 'The person whose key it is: the end user of its requests.' })}
    <div class="field-row">
      ${field('tags', 'Tags', { tag: 'textarea', hint: `${PAIRS}. They count in usage.` })}
      ${field('metadata', 'Metadata', { tag: 'textarea', hint: PAIRS })}
    </div>
  </details>
`;

/**
 * The settings of a key.
 * @param {object} props
 * @param {Draft} props.initial
 * @param {boolean} props.isNew
 * @param {string} props.action
 * @param {(draft: Draft) => Promise<void>} props.send
 */
export const KeyForm = ({ initial, isNew, action, send }) => {
  const [draft, setDraft] = useState(initial);
  const { isBusy, problem, submit } = useSubmit(fields, () => send(draft));
  /** @param {Partial<Draft>} part */
  const change = (part) => setDraft((last) => ({ ...last, ...part }));
  /** @param {...string} names */
  const errorOf = (...names) => (names.includes(problem.member) ? problem.message : undefined);
  /** @type {ShowField} */
  const field = (name, label, more = {}) => html`<${Field}
    id=${`key-${name}`}
    label=${label}
    value=${draft[name]}
    change=${(/** @type {string} */ value) => change({ [name]: value })}
    error=${errorOf(name, name === 'expires' ? 'expiresAt' : name)}
    ...${more}
  />`;
  const owner = () => html`<div class="field-row">
    ${field('organization', 'Organization', { required: true })} ${field('project', 'Project', { required: true })}
  </div>`;
  const patterns = 'One pattern on each line, such as openai/*. Empty: all models.';
  return html`
    <form onSubmit=${submit}>
      ${field('name', 'Name', { required: true, hint: 'Letters, digits and . _ @ -' })} ${isNew ? owner() : null}
      ${field('models', 'Models', { tag: 'textarea', class: 'short', hint: patterns })}
      <${LimitEditor}
        inherits=${draft.inheritsLimits}
        limits=${draft.limits}
        error=${errorOf('limits')}
        change=${change}
      />
      ${field('expires', 'Expires', { type: 'date', hint: 'Empty: never' })}
      <${MoreSettings} field=${field} />
      ${problem.member === '' ? html`<p class="bad" role="alert">${problem.message}</p>` : null}
      <p class="actions"><button class="primary" disabled=${isBusy}>${action}</button></p>
    </form>
  `;
};

import { html } from './html.js';

/** @typedef {{ currentTarget: HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement }} InputEvent */

/**
 * An input of a form, with what the gateway found wrong with it.
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.label
 * @param {string} props.value
 * @param {(value: string) => void} props.change
 * @param {string} [props.hint]
 * @param {string | undefined} [props.error]
 * @param {'input' | 'select' | 'textarea'} [props.tag]
 * Other properties are attributes of the element.
 */
export const Field = ({ id, label, value, change, hint, error, tag = 'input', ...attributes }) => {
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].join(' ').trim();
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <${tag}
        id=${id}
        value=${value}
        aria-invalid=${error === undefined ? undefined : 'true'}
        aria-describedby=${described === '' ? undefined : described}
        onInput=${(/** @type {InputEvent} */ { currentTarget }) => change(currentTarget.value)}
        ...${attributes}
      />
      ${hint !== undefined && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
      ${error !== undefined && html`<p class="error" id=${`${id}-error`} role="alert">${error}</p>`}
    </div>
  `;
};

/** Options of a select. @param {readonly string[]} values @param {string} none the title of an empty value */
export const listOptions = (values, none) =>
  values.map((value) => html`<option key=${value} value=${value}>${value === '' ? none : value}</option>`);

import { html } from './html.js';

/** @typedef {{ currentTarget: HTMLInputElement & HTMLSelectElement }} InputEvent */

/**
 * A select with its label.
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.label
 * @param {string} props.value
 * @param {readonly (readonly [value: string, title: string])[]} props.options
 * @param {(value: string) => void} props.choose
 * @param {boolean} [props.isWide]
 */
export const Choice = ({ id, label, value, options, choose, isWide = false }) => html`
  <div class=${isWide ? 'choice wide' : 'choice'}>
    <label for=${id}>${label}</label>
    <select id=${id} value=${value} onChange=${(/** @type {InputEvent} */ event) => choose(event.currentTarget.value)}>
      ${options.map(([option, title]) => html`<option key=${option} value=${option}>${title}</option>`)}
    </select>
  </div>
`;

/**
 * A text field of a filter. It changes the filter when the text is complete: with Enter, or when the focus leaves it.
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.label
 * @param {string} props.value
 * @param {(value: string) => void} props.choose
 * @param {string} [props.type]
 * @param {string} [props.placeholder]
 * @param {string} [props.pattern]
 * @param {readonly string[]} [props.suggestions]
 * @param {boolean} [props.isWide]
 * @param {boolean} [props.required]
 */
export const TextChoice = ({ id, label, value, choose, suggestions = [], isWide = false, ...input }) => {
  /** @param {InputEvent} event */
  const onChange = ({ currentTarget: { value: text, validity } }) => validity.valid && choose(text.trim());
  return html`
    <div class=${isWide ? 'choice wide' : 'choice'}>
      <label for=${id}>${label}</label>
      <input
        id=${id}
        key=${value}
        defaultValue=${value}
        onChange=${onChange}
        list=${suggestions.length === 0 ? undefined : `${id}-list`}
        ...${input}
      />
      ${
        suggestions.length > 0 &&
        html`<datalist id=${`${id}-list`}>
          ${suggestions.map((suggestion) => html`<option key=${suggestion} value=${suggestion}></option>`)}
        </datalist>`
      }
    </div>
  `;
};

/**
 * The active filters, each a button that removes it.
 * @param {object} props
 * @param {readonly { readonly name: string, readonly title: string }[]} props.chosen
 * @param {(name: string) => void} props.drop
 */
export const Filters = ({ chosen, drop }) =>
  chosen.length === 0
    ? null
    : html`<ul class="filters" aria-label="Only">
        ${chosen.map(
          ({ name, title }) =>
            html`<li key=${name}>
              <button type="button" onClick=${() => drop(name)}>
                ${title} <span aria-hidden="true">×</span><span class="visually-hidden">, remove this filter</span>
              </button>
            </li>`,
        )}
      </ul>`;

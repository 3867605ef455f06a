/** @import { Message } from '../../data/inspector/playground.js' */
import { Field, listOptions } from '../../components/field.js';
import { html } from '../../components/html.js';

const roles = ['system', 'user', 'assistant'];

/**
 * The messages of a request, each with its role.
 * @param {object} props
 * @param {readonly Message[]} props.messages
 * @param {(messages: readonly Message[]) => void} props.change
 */
export const Messages = ({ messages, change }) => {
  /** @param {number} index @param {Partial<Message>} changed */
  const replace = (index, changed) =>
    change(messages.map((message, at) => (at === index ? { ...message, ...changed } : message)));
  return html`
    ${messages.map(
      ({ role, text }, index) => html`<fieldset class="field message" key=${index}>
        <legend class="visually-hidden">Message ${index + 1}</legend>
        <div class="pair">
          <select
            aria-label=${`Role of message ${index + 1}`}
            value=${role}
            onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) =>
              replace(index, { role: currentTarget.value })}
          >
            ${listOptions(roles, '')}
          </select>
          ${
            messages.length !== 1 &&
            html`<button
              type="button"
              aria-label=${`Remove message ${index + 1}`}
              onClick=${() => change(messages.filter((_, at) => at !== index))}
            >
              Remove
            </button>`
          }
        </div>
        <${Field}
          id=${`message-${index}`}
          label=${`Text of message ${index + 1}`}
          tag="textarea"
          value=${text}
          change=${(/** @type {string} */ value) => replace(index, { text: value })}
          required
        />
      </fieldset>`,
    )}
    <button type="button" onClick=${() => change([...messages, { role: 'user', text: '' }])}>Add a message</button>
  `;
};

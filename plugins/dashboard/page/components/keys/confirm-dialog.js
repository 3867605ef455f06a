/** @import { Key } from '../../data/keys.js' */
import { send } from '../../data/api.js';
import { identityOf, pathOf } from '../../data/keys.js';
import { Dialog } from '../dialog.js';
import { html } from '../html.js';
import { useAction } from '../submit.js';

/**
 * Asks before a change of one or several keys.
 * @param {object} props
 * @param {readonly Key[]} props.keys
 * @param {string} props.title
 * @param {string} props.text
 * @param {string} props.action
 * @param {(key: Key) => Promise<unknown>} props.run
 * @param {(isChanged: boolean) => void} props.close
 */
export const ConfirmDialog = ({ keys, title, text, action, run, close }) => {
  const { isBusy, problem, start } = useAction(async () => {
    for (const key of keys) await run(key);
    close(true);
  });
  return html`<${Dialog} title=${title} close=${() => close(false)}>
    <p>${text}</p>
    <ul>
      ${keys.map((key) => html`<li key=${key.id}><strong>${identityOf(key)}</strong> <code>${key.prefix}</code></li>`)}
    </ul>
    ${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}
    <p class="actions">
      <button type="button" class="danger" disabled=${isBusy} onClick=${start}>${action}</button>
      <button type="button" onClick=${() => close(false)}>Cancel</button>
    </p>
  <//>`;
};

/**
 * @param {object} props
 * @param {readonly Key[]} props.keys
 * @param {(id: string) => string} [props.toPath] of a key, for the call
 * @param {(isChanged: boolean) => void} props.close
 */
export const RevokeDialog = ({ keys, toPath = pathOf, close }) => html`<${ConfirmDialog}
  keys=${keys}
  title=${keys.length === 1 ? 'Revoke a key' : `Revoke ${keys.length} keys`}
  text="Requests with it are refused within a second. This cannot be undone."
  action="Revoke permanently"
  run=${(/** @type {Key} */ { id }) => send('DELETE', toPath(id))}
  close=${close}
/>`;

/** @import { IssuedKey, Key } from '../../data/keys.js' */
/** @import { Draft } from './key-draft.js' */
import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.js';
import { Field } from '../../components/field.js';
import { html } from '../../components/html.js';
import { send } from '../../data/api.js';
import { identityOf, readTag } from '../../data/keys.js';
import { draftOf, emptyDraft, writeChange, writeNew } from './key-draft.js';
import { KeyForm } from './key-form.js';
import { Secret } from './secret.js';

/** @typedef {{ item: Key, close: (isChanged: boolean) => void }} KeyDialogProps */

/** @param {string} id */
const pathOf = (id) => `/admin/keys/${encodeURIComponent(id)}`;

/** @param {{ close: (isChanged: boolean) => void }} props */
export const CreateDialog = ({ close }) => {
  const [issued, setIssued] = useState(/** @type {IssuedKey | undefined} */ (undefined));
  /** @param {Draft} draft */
  const create = async (draft) =>
    setIssued(/** @type {IssuedKey} */ (await send('POST', '/admin/keys', writeNew(draft))));
  return html`
    <${Dialog}
      title=${issued === undefined ? 'Create a key' : 'Key created'}
      close=${() => close(false)}
      isLocked=${issued !== undefined}
    >
      ${
        issued === undefined
          ? html`<${KeyForm} initial=${emptyDraft} isNew action="Create the key" send=${create} />`
          : html`<${Secret} issued=${issued} done=${() => close(true)} />`
      }
    <//>
  `;
};

/** @param {KeyDialogProps} props */
export const EditDialog = ({ item: edited, close }) => {
  // The state that the form shows: a change that another operator makes meanwhile is not overwritten.
  const [tag] = useState(() => readTag(edited.id));
  /** @param {Draft} draft */
  const save = async (draft) => {
    await send('PATCH', pathOf(edited.id), writeChange(edited, draft), await tag);
    close(true);
  };
  return html`<${Dialog} title=${`Edit ${identityOf(edited)}`} close=${() => close(false)}>
    <${KeyForm} initial=${draftOf(edited)} isNew=${false} action="Save" send=${save} />
  <//>`;
};

/** Runs an action of a button, and keeps its problem. @param {() => Promise<void>} run */
const useAction = (run) => {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const start = async () => {
    setBusy(true);
    await run().catch((thrown) => setProblem(thrown instanceof Error ? thrown.message : String(thrown)));
    setBusy(false);
  };
  return { isBusy, problem, start };
};

/** @param {KeyDialogProps} props */
export const RotateDialog = ({ item: rotated, close }) => {
  const [overlap, setOverlap] = useState('24h');
  const [issued, setIssued] = useState(/** @type {IssuedKey | undefined} */ (undefined));
  const { isBusy, problem, start } = useAction(async () => {
    const body = overlap.trim() === '' ? {} : { overlap: overlap.trim() };
    setIssued(/** @type {IssuedKey} */ (await send('POST', `${pathOf(rotated.id)}/rotate`, body)));
  });
  const form = () => html`
    <p>A new key with the same name and settings replaces this one.</p>
    <${Field}
      id="rotate-overlap"
      label="Overlap"
      hint="How long the old key stays valid beside the new one: 30m, 24h, 7d. Empty: it ends at once."
      error=${problem === '' ? undefined : problem}
      value=${overlap}
      change=${setOverlap}
    />
    <p class="actions">
      <button type="button" class="primary" disabled=${isBusy} onClick=${start}>Rotate the key</button>
    </p>
  `;
  return html`<${Dialog}
    title=${`Rotate ${identityOf(rotated)}`}
    close=${() => close(false)}
    isLocked=${issued !== undefined}
  >
    ${issued === undefined ? form() : html`<${Secret} issued=${issued} done=${() => close(true)} />`}
  <//>`;
};

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
    ${problem === '' ? null : html`<p class="bad" role="alert">${problem}</p>`}
    <p class="actions">
      <button type="button" class="danger" disabled=${isBusy} onClick=${start}>${action}</button>
      <button type="button" onClick=${() => close(false)}>Cancel</button>
    </p>
  <//>`;
};

/** @param {{ keys: readonly Key[], close: (isChanged: boolean) => void }} props */
export const RevokeDialog = ({ keys, close }) => html`<${ConfirmDialog}
  keys=${keys}
  title=${keys.length === 1 ? 'Revoke a key' : `Revoke ${keys.length} keys`}
  text="Requests with it are refused within a second. This cannot be undone."
  action="Revoke permanently"
  run=${(/** @type {Key} */ { id }) => send('DELETE', pathOf(id))}
  close=${close}
/>`;

/** @param {{ keys: readonly Key[], disabled: boolean, close: (isChanged: boolean) => void }} props */
export const SwitchDialog = ({ keys, disabled, close }) => html`<${ConfirmDialog}
  keys=${keys}
  title=${`${disabled ? 'Disable' : 'Enable'} ${keys.length === 1 ? 'a key' : `${keys.length} keys`}`}
  text=${disabled ? 'Requests with it are refused until it is enabled again.' : 'Requests with it are accepted again.'}
  action=${disabled ? 'Disable' : 'Enable'}
  run=${(/** @type {Key} */ { id }) => send('PATCH', pathOf(id), { disabled })}
  close=${close}
/>`;

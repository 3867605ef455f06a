/** @import { IssuedKey, Key } from '../../data/keys.js' */
/** @import { Draft } from './key-draft.js' */
import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/keys/confirm-dialog.js';
import { Dialog } from '../../components/dialog.js';
import { html } from '../../components/html.js';
import { Secret } from '../../components/keys/secret.js';
import { send } from '../../data/api.js';
import { identityOf, pathOf, readTag } from '../../data/keys.js';
import { draftOf, emptyDraft, writeChange, writeNew } from './key-draft.js';
import { KeyForm } from './key-form.js';

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
          ? html`<${KeyForm} initial=${emptyDraft} purpose="one" action="Create the key" send=${create} />`
          : html`<${Secret} issued=${issued} done=${() => close(true)} />`
      }
    <//>
  `;
};

/** @param {{ item: Key, close: (isChanged: boolean) => void }} props */
export const EditDialog = ({ item: edited, close }) => {
  // The state that the form shows: a change that another operator makes meanwhile is not overwritten.
  const [tag] = useState(() => readTag(edited.id));
  /** @param {Draft} draft */
  const save = async (draft) => {
    await send('PATCH', pathOf(edited.id), writeChange(edited, draft), await tag);
    close(true);
  };
  return html`<${Dialog} title=${`Edit ${identityOf(edited)}`} close=${() => close(false)}>
    <${KeyForm} initial=${draftOf(edited)} purpose="change" action="Save" send=${save} />
  <//>`;
};

/** @param {{ keys: readonly Key[], disabled: boolean, close: (isChanged: boolean) => void }} props */
export const SwitchDialog = ({ keys, disabled, close }) => html`<${ConfirmDialog}
  keys=${keys}
  title=${`${disabled ? 'Disable' : 'Enable'} ${keys.length === 1 ? 'a key' : `${keys.length} keys`}`}
  text=${disabled ? 'Requests with it are refused until it is enabled again.' : 'Requests with it are accepted again.'}
  action=${disabled ? 'Disable' : 'Enable'}
  run=${(/** @type {Key} */ { id }) => send('PATCH', pathOf(id), { disabled })}
  close=${close}
/>`;

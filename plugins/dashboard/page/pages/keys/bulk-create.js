/** @import { IssuedKey } from '../../data/keys.js' */
/** @import { Draft } from './key-draft.js' */
import { useState } from 'preact/hooks';
import { CopyButton } from '../../components/copy-button.js';
import { Dialog } from '../../components/dialog.js';
import { html } from '../../components/html.js';
import { send } from '../../data/api.js';
import { identityOf } from '../../data/keys.js';
import { emptyDraft, writeSeveral } from './key-draft.js';
import { KeyForm } from './key-form.js';

/** One line for each key: its identity and its secret. @param {readonly IssuedKey[]} keys */
const writeSecrets = (keys) => keys.map((key) => `${identityOf(key)},${key.secret}`).join('\n');

/** @param {{ keys: readonly IssuedKey[], done: () => void }} props */
const Secrets = ({ keys, done }) => {
  const text = writeSecrets(keys);
  const warnings = new Set(keys.flatMap((key) => key.warnings ?? []));
  return html`
    <p>The secrets of ${keys.length} keys:</p>
    <pre tabindex="0" role="region" aria-label="Secrets">${text}</pre>
    <div class="actions"><${CopyButton} text=${text} label="Copy all" /></div>
    <p class="warning">They are shown only now. The gateway stores only their SHA-256.</p>
    ${[...warnings].map((warning) => html`<p class="warn" key=${warning}>${warning}</p>`)}
    <p class="actions"><button type="button" class="primary" onClick=${done}>The secrets are stored</button></p>
  `;
};

/** Creates several keys, all or none. @param {{ close: (isChanged: boolean) => void }} props */
export const BulkCreateDialog = ({ close }) => {
  const [issued, setIssued] = useState(/** @type {readonly IssuedKey[]} */ ([]));
  /** @param {Draft} draft */
  const create = async (draft) => {
    const { keys } = /** @type {{ keys: readonly IssuedKey[] }} */ (
      await send('POST', '/admin/keys/bulk', { keys: writeSeveral(draft) })
    );
    setIssued(keys);
  };
  return html`<${Dialog}
    title=${issued.length === 0 ? 'Create several keys' : 'Keys created'}
    close=${() => close(false)}
    isLocked=${issued.length > 0}
  >
    ${
      issued.length === 0
        ? html`<${KeyForm} initial=${emptyDraft} purpose="several" action="Create the keys" send=${create} />`
        : html`<${Secrets} keys=${issued} done=${() => close(true)} />`
    }
  <//>`;
};

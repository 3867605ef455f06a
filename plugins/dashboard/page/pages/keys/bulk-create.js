/** @import { IssuedKey } from '../../data/keys.js' */
import { useState } from 'preact/hooks';
import { CopyButton } from '../../components/copy-button.js';
import { Dialog } from '../../components/dialog.js';
import { Field } from '../../components/field.js';
import { html } from '../../components/html.js';
import { send } from '../../data/api.js';
import { identityOf } from '../../data/keys.js';

const HINT = 'organization/project/name on each line; a name alone is in default/default. All are created, or none.';

/** `organization/project/name` on each line; a name alone belongs to the default project. @param {string} text */
const readLines = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [name, project = 'default', organization = 'default'] = line.split('/').toReversed();
      return { name, project, organization };
    });

/** One line for each key: its identity and its secret. @param {readonly IssuedKey[]} keys */
const writeSecrets = (keys) => keys.map((key) => `${identityOf(key)},${key.secret}`).join('\n');

/** @param {{ keys: readonly IssuedKey[], done: () => void }} props */
const Secrets = ({ keys, done }) => {
  const text = writeSecrets(keys);
  return html`
    <p>The secrets of ${keys.length} keys:</p>
    <pre tabindex="0" role="region" aria-label="Secrets">${text}</pre>
    <div class="actions"><${CopyButton} text=${text} label="Copy all" /></div>
    <p class="warning">They are shown only now. The gateway stores only their SHA-256.</p>
    <p class="actions"><button type="button" class="primary" onClick=${done}>The secrets are stored</button></p>
  `;
};

/** Creates several keys, all or none. @param {{ close: (isChanged: boolean) => void }} props */
export const BulkCreateDialog = ({ close }) => {
  const [text, setText] = useState('');
  const [issued, setIssued] = useState(/** @type {readonly IssuedKey[]} */ ([]));
  const [problem, setProblem] = useState(/** @type {string | undefined} */ (undefined));
  /** @param {Event} event */
  const create = async (event) => {
    event.preventDefault();
    try {
      const { keys } = /** @type {{ keys: readonly IssuedKey[] }} */ (
        await send('POST', '/admin/keys/bulk', { keys: readLines(text) })
      );
      setIssued(keys);
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  const form = () => html`
    <form onSubmit=${create}>
      <${Field}
        id="bulk-names"
        label="Names"
        hint=${HINT}
        error=${problem}
        tag="textarea"
        required
        placeholder="acme/web/alice"
        value=${text}
        change=${setText}
      />
      <p class="actions"><button class="primary">Create the keys</button></p>
    </form>
  `;
  return html`<${Dialog}
    title=${issued.length === 0 ? 'Create several keys' : 'Keys created'}
    close=${() => close(false)}
    isLocked=${issued.length > 0}
  >
    ${issued.length === 0 ? form() : html`<${Secrets} keys=${issued} done=${() => close(true)} />`}
  <//>`;
};

/** @import { IssuedKey, Key } from '../../data/keys.js' */
import { useState } from 'preact/hooks';
import { send } from '../../data/api.js';
import { identityOf } from '../../data/keys.js';
import { Dialog } from '../dialog.js';
import { Field } from '../field.js';
import { html } from '../html.js';
import { useAction } from '../submit.js';
import { Secret } from './secret.js';

/**
 * @param {object} props
 * @param {Key} props.item
 * @param {string} props.path of the key, for the call
 * @param {(isChanged: boolean) => void} props.close
 */
export const RotateDialog = ({ item: rotated, path, close }) => {
  const [overlap, setOverlap] = useState('24h');
  const [issued, setIssued] = useState(/** @type {IssuedKey | undefined} */ (undefined));
  const { isBusy, problem, start } = useAction(async () => {
    const body = overlap.trim() === '' ? {} : { overlap: overlap.trim() };
    setIssued(/** @type {IssuedKey} */ (await send('POST', `${path}/rotate`, body)));
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

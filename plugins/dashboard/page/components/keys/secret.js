/** @import { ComponentChildren } from 'preact' */
/** @import { IssuedKey } from '../../data/keys.js' */
import { CopyButton } from '../copy-button.js';
import { html } from '../html.js';
import { identityOf } from '../../data/keys.js';

/**
 * A new secret, which is not shown again.
 * @param {{ issued: IssuedKey, done: () => void, children?: ComponentChildren }} props
 */
export const Secret = ({ issued, done, children }) => html`
  <p>The secret of <strong>${identityOf(issued)}</strong>:</p>
  <div class="secret"><code>${issued.secret}</code></div>
  <div class="pair"><${CopyButton} text=${issued.secret} /></div>
  <p class="warning">It is shown only now. The gateway stores only its SHA-256.</p>
  ${(issued.warnings ?? []).map((warning) => html`<p class="warn" key=${warning}>${warning}</p>`)}
  ${children}
  <p class="actions"><button type="button" class="primary" onClick=${done}>The secret is stored</button></p>
`;

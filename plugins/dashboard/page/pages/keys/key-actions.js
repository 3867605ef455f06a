/** @import { Key } from '../../data/keys.js' */
import { useDialog } from '../../components/dialog.js';
import { html } from '../../components/html.js';
import { RevokeDialog } from '../../components/keys/confirm-dialog.js';
import { RotateDialog } from '../../components/keys/rotate-dialog.js';
import { identityOf, pathOf, stateOf } from '../../data/keys.js';
import { linkTo } from '../../data/route.js';
import { useSession } from '../../data/session.js';
import { EditDialog, SwitchDialog } from './key-dialogs.js';

/** Why a key cannot be changed here. @param {Key} key @param {string | undefined} refusal of the role */
const reasonOf = (key, refusal) => {
  if (key.origin === 'configuration') return 'This key is in gateway.yaml: change it there.';
  return stateOf(key) === 'revoked' ? 'A revoked key cannot be changed.' : refusal;
};

/** @param {{ item: Key, reload: () => void }} props */
export const KeyActions = ({ item, reload }) => {
  const { has, refusal } = useSession();
  const { opened: action, open, close } = useDialog('', reload);
  const reason = reasonOf(item, refusal('DELETE /admin/keys/{id}'));
  const isDisabled = stateOf(item) === 'disabled';
  /** @param {string} name @param {string} title @param {string} [style] */
  const button = (name, title, style) => html`<button
    type="button"
    class=${style}
    disabled=${reason !== undefined}
    aria-describedby=${reason === undefined ? undefined : 'key-refusal'}
    onClick=${() => open(name)}
  >
    ${title}
  </button>`;
  return html`
    ${reason !== undefined && html`<span class="muted small" id="key-refusal">${reason}</span>`}
    <a class="button" href=${linkTo('explain', { query: { key: identityOf(item) } })}>Explain a request</a>
    ${
      has('PATCH /admin/keys/{id}') && [
        button('edit', 'Edit'),
        button(isDisabled ? 'enable' : 'disable', isDisabled ? 'Enable' : 'Disable'),
      ]
    }
    ${button('rotate', 'Rotate')} ${button('revoke', 'Revoke', 'danger')}
    ${action === 'edit' && html`<${EditDialog} item=${item} close=${close} />`}
    ${action === 'rotate' && html`<${RotateDialog} item=${item} path=${pathOf(item.id)} close=${close} />`}
    ${action === 'revoke' && html`<${RevokeDialog} keys=${[item]} close=${close} />`}
    ${
      (action === 'enable' || action === 'disable') &&
      html`<${SwitchDialog} keys=${[item]} disabled=${action === 'disable'} close=${close} />`
    }
  `;
};

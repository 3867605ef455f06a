/** @import { Key } from '../../data/keys.js' */
/** @import { Route } from '../../data/route.js' */
import { useState } from 'preact/hooks';
import { Choice, TextChoice } from '../../components/choice.js';
import { html } from '../../components/html.js';
import { RevokeDialog } from '../../components/keys/confirm-dialog.js';
import { Page } from '../../components/page.js';
import { Panel } from '../../components/panel.js';
import { identityOf, readKeys, stateOf } from '../../data/keys.js';
import { usePoll } from '../../data/poll.js';
import { changeQuery } from '../../data/route.js';
import { toggled } from '../../data/toggled.js';
import { useSession } from '../../data/session.js';
import { BulkCreateDialog } from './bulk-create.js';
import { CreateDialog, SwitchDialog } from './key-dialogs.js';
import { KeyPage } from './key-page.js';
import { KeyTable } from './key-table.js';

const states = /** @type {const} */ ([
  ['', 'All but revoked'],
  ['active', 'Active'],
  ['expiring', 'Expiring in 7 days'],
  ['expired', 'Expired'],
  ['disabled', 'Disabled'],
  ['revoked', 'Revoked'],
]);
const COLLAPSED_ROWS = 100;

/** @param {Key} key @param {Readonly<Record<string, string>>} query */
const matches = (key, { find = '', state = '' }) => {
  const present = stateOf(key);
  return (
    (state === '' ? present !== 'revoked' : present === state || (state === 'active' && present === 'expiring')) &&
    [identityOf(key), key.id, key.prefix ?? '', key.owner ?? ''].some((text) => text.includes(find))
  );
};

/** What can be done with the selected keys. @param {{ chosen: readonly Key[], done: () => void }} props */
const Selected = ({ chosen, done }) => {
  const { has } = useSession();
  const [action, setAction] = useState('');
  /** @param {boolean} isChanged */
  const close = (isChanged) => {
    setAction('');
    if (isChanged) done();
  };
  /** @param {string} name @param {string} title @param {string} [style] */
  const button = (name, title, style) =>
    html`<button type="button" class=${style} onClick=${() => setAction(name)}>${title}</button>`;
  return html`
    <div class="controls centered" role="group" aria-label="Selected keys">
      <span>${chosen.length} selected</span>
      ${has('PATCH /admin/keys/{id}') ? [button('disable', 'Disable'), button('enable', 'Enable')] : null}
      ${button('revoke', 'Revoke', 'danger')}
    </div>
    ${action === 'revoke' ? html`<${RevokeDialog} keys=${chosen} close=${close} />` : null}
    ${
      action === 'disable' || action === 'enable'
        ? html`<${SwitchDialog} keys=${chosen} disabled=${action === 'disable'} close=${close} />`
        : null
    }
  `;
};

/**
 * @param {object} props
 * @param {readonly Key[]} props.keys
 * @param {Route} props.route
 * @param {() => void} props.reload
 */
const List = ({ keys, route, reload }) => {
  const { refusal } = useSession();
  const [selected, setSelected] = useState(/** @type {ReadonlySet<string>} */ (new Set()));
  const found = keys.filter((key) => matches(key, route.query));
  const chosen = found.filter(({ id }) => selected.has(id));
  const further = found.length - COLLAPSED_ROWS;
  const done = () => {
    setSelected(new Set());
    reload();
  };
  if (found.length === 0)
    return html`<p class="card empty">
      ${keys.length === 0 ? 'There are no keys yet. Create one, and give its secret to a client.' : 'No key matches.'}
    </p>`;
  return html`
    ${chosen.length === 0 ? null : html`<${Selected} chosen=${chosen} done=${done} />`}
    <${KeyTable}
      keys=${found.slice(0, COLLAPSED_ROWS)}
      selected=${selected}
      toggle=${(/** @type {string} */ id) => setSelected(toggled(selected, id))}
      canSelect=${refusal('DELETE /admin/keys/{id}') === undefined}
    />
    ${further > 0 ? html`<p class="muted">${further} more: filter the list.</p>` : null}
  `;
};

/** @param {{ open: (dialog: string) => void }} props */
const Actions = ({ open }) => {
  const { has, refusal } = useSession();
  const reason = refusal('POST /admin/keys');
  return html`
    ${reason === undefined ? null : html`<span class="muted small" id="keys-refusal">${reason}</span>`}
    ${
      has('POST /admin/keys/bulk')
        ? html`<button
            type="button"
            disabled=${reason !== undefined}
            aria-describedby=${reason === undefined ? undefined : 'keys-refusal'}
            onClick=${() => open('bulk')}
          >
            Create several
          </button>`
        : null
    }
    <button
      type="button"
      class="primary"
      disabled=${reason !== undefined}
      aria-describedby=${reason === undefined ? undefined : 'keys-refusal'}
      onClick=${() => open('one')}
    >
      Create a key
    </button>
  `;
};

/** @param {{ route: Route }} props */
const KeyList = ({ route }) => {
  const [revision, setRevision] = useState(0);
  const [dialog, setDialog] = useState(route.query['create'] === undefined ? '' : 'one');
  const polled = usePoll(readKeys, 10_000, String(revision));
  /** @param {Readonly<Record<string, string | undefined>>} change */
  const change = (change) => changeQuery(route, { create: undefined, ...change });
  const reload = () => setRevision(revision + 1);
  /** @param {boolean} isChanged */
  const close = (isChanged) => {
    setDialog('');
    change({});
    if (isChanged) reload();
  };
  return html`<${Page}
    title="Keys"
    note="Keys of gateway.yaml are changed in the file"
    actions=${html`<${Actions} open=${setDialog} />`}
  >
    <${Panel}
      id="keys"
      title="Keys"
      isTitleHidden
      notConfigured="This gateway has no keys."
      polled=${polled}
      controls=${html`<div class="controls">
        <${TextChoice}
          id="keys-find"
          label="Find"
          type="search"
          isWide
          placeholder="organization/project/name, owner or prefix"
          value=${route.query['find'] ?? ''}
          choose=${(/** @type {string} */ find) => change({ find })}
        />
        <${Choice}
          id="keys-state"
          label="State"
          value=${route.query['state'] ?? ''}
          options=${states}
          choose=${(/** @type {string} */ state) => change({ state })}
        />
      </div>`}
      show=${(/** @type {readonly Key[]} */ keys) => html`<${List} keys=${keys} route=${route} reload=${reload} />`}
    />
    ${dialog === 'one' ? html`<${CreateDialog} close=${close} />` : null}
    ${dialog === 'bulk' ? html`<${BulkCreateDialog} close=${close} />` : null}
  <//>`;
};

/** The keys, and one of them. @param {{ route: Route }} props */
export const Keys = ({ route }) =>
  route.id === undefined ? html`<${KeyList} route=${route} />` : html`<${KeyPage} id=${route.id} key=${route.id} />`;

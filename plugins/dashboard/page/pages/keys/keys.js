/** @import { Key, KeyPage as PageOfKeys } from '../../data/keys.js' */
/** @import { Route } from '../../data/route.js' */
import { useState } from 'preact/hooks';
import { Choice, TextChoice } from '../../components/choice.js';
import { useDialog } from '../../components/dialog.js';
import { html } from '../../components/html.js';
import { RevokeDialog } from '../../components/keys/confirm-dialog.js';
import { Page, Panel } from '../../components/page.js';
import { readPages } from '../../components/table/csv.js';
import { readKeys } from '../../data/keys.js';
import { usePoll, useRevision } from '../../data/poll.js';
import { changeQuery } from '../../data/route.js';
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
/** What can be done with the selected keys. @param {{ chosen: readonly Key[], done: () => void }} props */
const Selected = ({ chosen, done }) => {
  const { has } = useSession();
  const { opened: action, open, close } = useDialog('', done);
  /** @param {string} name @param {string} title @param {string} [style] */
  const button = (name, title, style) =>
    html`<button type="button" class=${style} onClick=${() => open(name)}>${title}</button>`;
  return html`
    <div class="controls centered" role="group" aria-label="Selected keys">
      <span>${chosen.length} selected</span>
      ${has('PATCH /admin/keys/{id}') && [button('disable', 'Disable'), button('enable', 'Enable')]}
      ${button('revoke', 'Revoke', 'danger')}
    </div>
    ${action === 'revoke' && html`<${RevokeDialog} keys=${chosen} close=${close} />`}
    ${
      (action === 'disable' || action === 'enable') &&
      html`<${SwitchDialog} keys=${chosen} disabled=${action === 'disable'} close=${close} />`
    }
  `;
};

/** @param {{ list: PageOfKeys, route: Route, reload: () => void }} props */
const List = ({ list: { keys, next }, route, reload }) => {
  const { refusal } = useSession();
  const [selected, setSelected] = useState(/** @type {ReadonlySet<string>} */ (new Set()));
  const { find = '', state = '', sort = 'created' } = route.query;
  const chosen = keys.filter(({ id }) => selected.has(id));
  const done = () => {
    setSelected(new Set());
    reload();
  };
  const read = () => readPages('keys', (cursor, signal) => readKeys({ ...route.query, cursor, limit: '1000' }, signal));
  if (keys.length === 0 && route.query['cursor'] === undefined)
    return html`<p class="card empty">
      ${
        find === '' && state === ''
          ? 'There are no keys yet. Create one, and give its secret to a client.'
          : 'No key matches.'
      }
    </p>`;
  const canSelect = refusal('DELETE /admin/keys/{id}') === undefined;
  return html`
    ${chosen.length > 0 && html`<${Selected} chosen=${chosen} done=${done} />`}
    <${KeyTable}
      keys=${keys}
      selection=${canSelect ? { selected, choose: setSelected } : undefined}
      order=${{ by: sort, choose: (/** @type {string} */ by) => changeQuery(route, { sort: by, cursor: undefined }) }}
      pages=${{ route, next }}
      file=${{ name: 'keys.csv', read }}
    />
  `;
};

/** @param {{ open: (dialog: string) => void }} props */
const Actions = ({ open }) => {
  const { has, refusal } = useSession();
  const reason = refusal('POST /admin/keys');
  /** @param {string} dialog @param {string} title @param {string} [style] */
  const button = (dialog, title, style) => html`<button
    type="button"
    class=${style}
    disabled=${reason !== undefined}
    aria-describedby=${reason === undefined ? undefined : 'keys-refusal'}
    onClick=${() => open(dialog)}
  >
    ${title}
  </button>`;
  return html`
    ${reason !== undefined && html`<span class="muted small" id="keys-refusal">${reason}</span>`}
    ${has('POST /admin/keys/bulk') && button('bulk', 'Create several')}
    ${button('one', 'Create a key', 'primary')}
  `;
};

/** @param {{ route: Route, change: (change: Readonly<Record<string, string>>) => void }} props */
const Filters = ({ route, change }) => html`<div class="controls">
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
      </div>`;

/** @param {{ route: Route }} props */
const KeyList = ({ route }) => {
  const [revision, reload] = useRevision();
  const [dialog, setDialog] = useState(route.query['create'] === undefined ? '' : 'one');
  const { find = '', state = '', sort = '', cursor = '' } = route.query;
  const identity = JSON.stringify([find, state, sort, cursor, revision]);
  const polled = usePoll((signal) => readKeys(route.query, signal), 10_000, identity);
  /** @param {Readonly<Record<string, string | undefined>>} change */
  const change = (change) => changeQuery(route, { create: undefined, cursor: undefined, ...change });
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
      controls=${html`<${Filters} route=${route} change=${change} />`}
      show=${(/** @type {PageOfKeys} */ list) => html`<${List} list=${list} route=${route} reload=${reload} />`}
    />
    ${dialog === 'one' && html`<${CreateDialog} close=${close} />`}
    ${dialog === 'bulk' && html`<${BulkCreateDialog} close=${close} />`}
  <//>`;
};

/** The keys, and one of them. @param {{ route: Route }} props */
export const Keys = ({ route }) =>
  route.id === undefined ? html`<${KeyList} route=${route} />` : html`<${KeyPage} id=${route.id} key=${route.id} />`;

/** @import { Key, KeyPage as PageOfKeys } from '../../data/keys.js' */
/** @import { Route } from '../../data/route.js' */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Choice, TextChoice } from '../../components/choice.js';
import { html } from '../../components/html.js';
import { RevokeDialog } from '../../components/keys/confirm-dialog.js';
import { Page } from '../../components/page.js';
import { Panel } from '../../components/panel.js';
import { readKeys } from '../../data/keys.js';
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
const sorts = /** @type {const} */ ([
  ['', 'Oldest first'],
  ['-created', 'Newest first'],
  ['name', 'By name'],
  ['-name', 'By name, reversed'],
]);

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
 * @param {PageOfKeys} props.first
 * @param {Route} props.route
 * @param {() => void} props.reload
 */
const List = ({ first, route, reload }) => {
  const { refusal } = useSession();
  const [selected, setSelected] = useState(/** @type {ReadonlySet<string>} */ (new Set()));
  const [further, setFurther] = useState(/** @type {readonly PageOfKeys[]} */ ([]));
  const { find = '', state = '', sort = '' } = route.query;
  useEffect(() => setFurther([]), [find, state, sort]);
  const pages = [first, ...further];
  const keys = [...new Map(pages.flatMap((page) => page.keys).map((key) => [key.id, key])).values()];
  const chosen = keys.filter(({ id }) => selected.has(id));
  const next = pages.at(-1)?.next ?? null;
  const done = () => {
    setSelected(new Set());
    setFurther([]);
    reload();
  };
  /** @param {string} cursor */
  const showMore = async (cursor) => {
    const page = await readKeys(route.query, AbortSignal.timeout(10_000), cursor);
    setFurther((last) => [...last, page]);
  };
  if (keys.length === 0)
    return html`<p class="card empty">
      ${
        find === '' && state === ''
          ? 'There are no keys yet. Create one, and give its secret to a client.'
          : 'No key matches.'
      }
    </p>`;
  return html`
    ${chosen.length === 0 ? null : html`<${Selected} chosen=${chosen} done=${done} />`}
    <${KeyTable}
      keys=${keys}
      selected=${selected}
      toggle=${(/** @type {string} */ id) => setSelected(toggled(selected, id))}
      canSelect=${refusal('DELETE /admin/keys/{id}') === undefined}
    />
    ${next === null ? null : html`<button type="button" onClick=${() => showMore(next)}>Show more</button>`}
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
        <${Choice}
          id="keys-sort"
          label="Order"
          value=${route.query['sort'] ?? ''}
          options=${sorts}
          choose=${(/** @type {string} */ sort) => change({ sort })}
        />
      </div>`;

/** @param {{ route: Route }} props */
const KeyList = ({ route }) => {
  const [revision, setRevision] = useState(0);
  const [dialog, setDialog] = useState(route.query['create'] === undefined ? '' : 'one');
  const { find = '', state = '', sort = '' } = route.query;
  const identity = JSON.stringify([find, state, sort, revision]);
  const load = useCallback((/** @type {AbortSignal} */ signal) => readKeys(route.query, signal), [identity]);
  const polled = usePoll(load, 10_000, identity);
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
      controls=${html`<${Filters} route=${route} change=${change} />`}
      show=${(/** @type {PageOfKeys} */ first) => html`<${List} first=${first} route=${route} reload=${reload} />`}
    />
    ${dialog === 'one' ? html`<${CreateDialog} close=${close} />` : null}
    ${dialog === 'bulk' ? html`<${BulkCreateDialog} close=${close} />` : null}
  <//>`;
};

/** The keys, and one of them. @param {{ route: Route }} props */
export const Keys = ({ route }) =>
  route.id === undefined ? html`<${KeyList} route=${route} />` : html`<${KeyPage} id=${route.id} key=${route.id} />`;

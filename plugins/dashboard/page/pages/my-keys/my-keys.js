/** @import { Key } from '../../data/keys.js' */
/** @import { Rules } from '../../data/my-keys.js' */
import { Badge } from '../../components/badge.js';
import { useDialog } from '../../components/dialog.js';
import { Facts } from '../../components/facts.js';
import { html } from '../../components/html.js';
import { describeLimits, describeModels } from '../../components/keys/cells.js';
import { RevokeDialog } from '../../components/keys/confirm-dialog.js';
import { RotateDialog } from '../../components/keys/rotate-dialog.js';
import { Page, Panel } from '../../components/page.js';
import { SetUp } from '../../components/set-up.js';
import { Table } from '../../components/table/table.js';
import { stateOf } from '../../data/keys.js';
import { summarizeLimit } from '../../data/limits.js';
import { addressOf, modelsOf, pathOfMine, readMyKeys } from '../../data/my-keys.js';
import { usePoll, useRevision } from '../../data/poll.js';
import { useSession } from '../../data/session.js';
import { NewKeyDialog } from './new-key.js';
import { OwnUse } from './own-use.js';

/** @typedef {'small' | 'medium'} Width */
const columns = [
  { title: 'Key' },
  { title: 'State' },
  { title: 'Models', not: /** @type {Width} */ ('small') },
  { title: 'Limits', not: /** @type {Width} */ ('medium') },
  { title: 'Ends', not: /** @type {Width} */ ('small') },
  { title: 'Actions' },
];

/** @param {Key} key */
const placeOf = ({ organization, project }) => `${organization}/${project}`;
/** @param {Key} key */
const isActive = (key) => !['revoked', 'expired'].includes(stateOf(key));

/** @param {{ item: Key, open: (action: string) => void }} props */
const Actions = ({ item, open }) => {
  /** @param {string} action @param {string} [style] */
  const button = (action, style) => html`<button
    type="button"
    class=${style}
    aria-label=${`${action} ${item.name}`}
    onClick=${() => open(action)}
  >
    ${action}
  </button>`;
  return isActive(item) ? html`<div class="pair">${button('Rotate')} ${button('Revoke', 'danger')}</div>` : null;
};

/** @param {{ keys: readonly Key[], rules: Rules | undefined, reload: () => void }} props */
const List = ({ keys, rules, reload }) => {
  const { opened: action, open, close } = useDialog({ name: '', id: '' }, reload);
  const chosen = keys.find(({ id }) => id === action.id);
  /** @param {Key} key */
  const describe = (key) => ({
    key: key.id,
    cells: [
      html`${key.name}<span class="muted below">${placeOf(key)} · <code>${key.prefix}</code></span>`,
      html`<${Badge} state=${stateOf(key)} />`,
      html`<span class="wrap">${describeModels(key)}</span>`,
      html`<span class="wrap">${describeLimits({ ...key, limits: key.limits ?? rules?.limits })}</span>`,
      key.expiresAt === undefined ? html`<span class="muted">never</span>` : key.expiresAt.slice(0, 10),
      html`<${Actions} item=${key} open=${(/** @type {string} */ name) => open({ name, id: key.id })} />`,
    ],
  });
  return html`
    <${Table} caption="My keys" columns=${columns} rows=${keys.map(describe)} />
    ${
      chosen !== undefined &&
      action.name === 'Rotate' &&
      html`<${RotateDialog} item=${chosen} path=${pathOfMine(chosen.id)} close=${close} />`
    }
    ${
      chosen !== undefined &&
      action.name === 'Revoke' &&
      html`<${RevokeDialog} keys=${[chosen]} toPath=${pathOfMine} close=${close} />`
    }
  `;
};

/** What an operator allows, and how a key is used. @param {{ rules: Rules, active: readonly Key[] }} props */
const About = ({ rules, active }) => {
  const { projects, models = [], maxKeys, maxLifetime, limits } = rules;
  return html`
    <div class="panel-head"><h2>What your keys can do</h2></div>
    <div class="card plain">
      <${Facts}
        facts=${[
          ['Projects', projects.join(', ')],
          ['Address', html`<code>${addressOf(rules)}</code>`],
          ['Models', models.length === 0 ? 'all models of the project' : models.join(', ')],
          ['These are now', rules.available.join(', ')],
          ['Limits of each key', limits?.map(summarizeLimit).join(', ') ?? 'those of the project'],
          ['Active keys', `${active.length} of ${maxKeys}`],
          ['Longest lifetime', maxLifetime],
        ]}
      />
    </div>
    <div class="panel-head"><h2>How to use a key</h2></div>
    <div class="card plain">
      <${SetUp} id="set-up" url=${addressOf(rules)} models=${modelsOf(rules, active[0]?.models ?? [])} />
    </div>
  `;
};

/** @param {{ isPermitted: boolean }} props */
const Empty = ({ isPermitted }) => html`<div class="card empty">
  <p><strong>You have no keys yet.</strong></p>
  <p>
    ${
      isPermitted
        ? 'Create one, and put its secret into the program that sends requests.'
        : 'There is no project in which you can make keys. Ask an operator of this gateway for one.'
    }
  </p>
</div>`;

/** The keys that a person has made. */
export const MyKeys = () => {
  const { keys: rules } = useSession().session;
  const [revision, reload] = useRevision();
  const { opened: isNew, open, close } = useDialog(false, reload);
  const polled = usePoll(readMyKeys, 10_000, String(revision));
  const create = () => html`<button type="button" class="primary" onClick=${() => open(true)}>Create a key</button>`;
  /** @param {readonly Key[]} keys */
  const show = (keys) => html`
    ${
      keys.length === 0
        ? html`<${Empty} isPermitted=${rules !== undefined} />`
        : html`<${List} keys=${keys} rules=${rules} reload=${reload} />`
    }
    ${keys.length > 0 && html`<${OwnUse} />`}
    ${rules !== undefined && html`<${About} rules=${rules} active=${keys.filter(isActive)} />`}
  `;
  return html`<${Page}
    title="My keys"
    note="Your personal keys. Requests with them count as yours."
    actions=${rules === undefined ? undefined : create()}
  >
    <${Panel}
      id="my-keys"
      title="My keys"
      isTitleHidden
      polled=${polled}
      notConfigured="People cannot make keys here: ask an operator of this gateway to set admin.personalKeys."
      show=${show}
    />
    ${isNew && rules !== undefined && html`<${NewKeyDialog} rules=${rules} close=${close} />`}
  <//>`;
};

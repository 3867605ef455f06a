/** @import { Draft } from './key-draft.js' */
import { useEffect } from 'preact/hooks';
import { Field, listOptions } from '../../components/field.js';
import { html } from '../../components/html.js';
import { LimitEditor } from '../../components/keys/limit-editor.js';
import { useForm } from '../../components/submit.js';
import { readProjects } from '../../data/keys.js';
import { usePoll } from '../../data/poll.js';

/** @typedef {(name: keyof Draft, label: string, more?: Readonly<Record<string, unknown>>) => unknown} ShowField */

const policies = /** @type {const} */ ([
  ['losses', 'Losses in translation', ['', 'allow', 'warn', 'reject']],
  ['costHeaders', 'Cost in response headers', ['', 'off', 'on']],
  ['vendorState', 'State kept by vendors', ['', 'owned', 'allow', 'refuse']],
]);
/** Members that have a field; a problem with another one is shown above the button. */
const fields = new Set(
  ['name', 'organization', 'project', 'owner', 'models', 'limits', 'expires', 'tags', 'metadata']
    .concat('hostedTools')
    .concat(policies.map(([name]) => name)),
);

const PAIRS = 'name=value, one on each line';

/** @param {{ field: ShowField }} props */
const MoreSettings = ({ field }) => html`
  <details>
    <summary>More settings</summary>
    <div class="field-row">
      ${policies.map(([name, label, values]) =>
        field(name, label, { tag: 'select', children: listOptions(values, 'default') }),
      )}
    </div>
    ${field('hostedTools', 'Hosted tools', {
      hint: 'The only tools that can run at vendors (web_search, mcp), or none; drop or refuse others. Empty: all.',
    })}
    ${field('owner', 'Owner', { hint: 'The person whose key it is: the end user of its requests.' })}
    <div class="field-row">
      ${field('tags', 'Tags', { tag: 'textarea', hint: `${PAIRS}. They count in usage.` })}
      ${field('metadata', 'Metadata', { tag: 'textarea', hint: PAIRS })}
    </div>
  </details>
`;

/** How often the projects are read again while a form is open. */
const PROJECTS_MS = 60_000;

/**
 * Chooses among the projects of the gateway. The only one is chosen already.
 * @param {object} props
 * @param {Draft} props.draft
 * @param {(part: Pick<Draft, 'organization' | 'project'>) => void} props.change
 * @param {string | undefined} props.error
 */
const ProjectField = ({ draft, change, error }) => {
  const { data: projects = [], problem } = usePoll(readProjects, PROJECTS_MS);
  /** @param {string} path */
  const choose = (path) => {
    const [organization = '', project = ''] = path.split('/');
    change({ organization, project });
  };
  const [only, ...others] = projects;
  useEffect(() => {
    if (only !== undefined && others.length === 0) choose(only);
  }, [only, others.length]);
  return html`<${Field}
    id="key-project"
    label="Project"
    tag="select"
    required
    hint="Its limits and those of its organization count for the key."
    value=${draft.project === '' ? '' : `${draft.organization}/${draft.project}`}
    change=${choose}
    error=${error ?? problem}
    children=${listOptions(['', ...projects], 'Choose a project')}
  />`;
};

/** What the form is for. @typedef {'one' | 'several' | 'change'} Purpose */

/** @type {Readonly<Record<Purpose, Readonly<Record<string, unknown>>>>} */
const nameFields = {
  one: { hint: 'Letters, digits and . _ @ -' },
  change: { hint: 'Letters, digits and . _ @ -' },
  several: {
    tag: 'textarea',
    placeholder: 'alice',
    hint: 'One on each line; organization/project/name for one of another project. All are created, or none.',
  },
};

/**
 * The settings of a key, or those that several new keys have.
 * @param {object} props
 * @param {Draft} props.initial
 * @param {Purpose} props.purpose
 * @param {string} props.action
 * @param {(draft: Draft) => Promise<void>} props.send
 */
export const KeyForm = ({ initial, purpose, action, send }) => {
  const { draft, change, errorOf, field, submit, end } = useForm('key', initial, fields, send);
  const patterns = 'One pattern on each line, such as openai/*. Empty: all models.';
  return html`
    <form onSubmit=${submit}>
      ${field('name', purpose === 'several' ? 'Names' : 'Name', { required: true, ...nameFields[purpose] })}
      ${
        purpose !== 'change' &&
        html`<${ProjectField} draft=${draft} change=${change} error=${errorOf('project', 'organization')} />`
      }
      ${field('models', 'Models', { tag: 'textarea', class: 'short', hint: patterns })}
      <${LimitEditor}
        inherits=${draft.inheritsLimits}
        limits=${draft.limits}
        error=${errorOf('limits')}
        change=${change}
      />
      ${field('expires', 'Expires', { type: 'date', hint: 'Empty: never' })}
      <${MoreSettings} field=${field} />
      ${end(action)}
    </form>
  `;
};

/** @import { IssuedKey } from '../../data/keys.js' */
/** @import { Rules } from '../../data/my-keys.js' */
import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.js';
import { listOptions } from '../../components/field.js';
import { html } from '../../components/html.js';
import { Secret } from '../../components/keys/secret.js';
import { SetUp } from '../../components/set-up.js';
import { useForm } from '../../components/submit.js';
import { send } from '../../data/api.js';
import { readList } from '../../data/keys.js';
import { addressOf, modelsOf } from '../../data/my-keys.js';

const fields = new Set(['name', 'project', 'models', 'expires']);

/** @param {{ rules: Rules, done: (issued: IssuedKey) => void }} props */
const Form = ({ rules: { projects, models = [], maxLifetime }, done }) => {
  const initial = { name: '', project: projects[0] ?? '', models: '', expires: '' };
  const { field, submit, end } = useForm('my-key', initial, fields, async (draft) => {
    const { name, project, models: patterns, expires } = draft;
    const body = {
      name: name.trim(),
      project,
      ...(patterns.trim() === '' ? {} : { models: readList(patterns) }),
      ...(expires === '' ? {} : { expires }),
    };
    done(/** @type {IssuedKey} */ (await send('POST', '/admin/me/keys', body)));
  });
  const options = listOptions(projects, '');
  const widest = models.length === 0 ? 'all models of the project' : models.join(', ');
  return html`
    <form onSubmit=${submit}>
      ${field('name', 'Name', { required: true, hint: 'Where you use it: laptop. Letters, digits and . _ @ -' })}
      ${projects.length !== 1 && field('project', 'Project', { tag: 'select', children: options })}
      ${field('models', 'Models', {
        tag: 'textarea',
        class: 'short',
        hint: `One pattern on each line. Empty: ${widest}.`,
      })}
      ${field('expires', 'Ends', { type: 'date', hint: `Empty: after ${maxLifetime}, the longest lifetime.` })}
      ${end('Create the key')}
    </form>
  `;
};

/**
 * Makes a key, and shows its secret once, with the lines that use it.
 * @param {{ rules: Rules, close: (isChanged: boolean) => void }} props
 */
export const NewKeyDialog = ({ rules, close }) => {
  const [issued, setIssued] = useState(/** @type {IssuedKey | undefined} */ (undefined));
  return html`<${Dialog}
    title=${issued === undefined ? 'Create a key' : 'Key created'}
    close=${() => close(false)}
    isLocked=${issued !== undefined}
  >
    ${
      issued === undefined
        ? html`<${Form} rules=${rules} done=${setIssued} />`
        : html`<${Secret} issued=${issued} done=${() => close(true)}>
            <${SetUp} id="set-up-new" url=${addressOf(rules)} models=${modelsOf(rules, issued.models)} />
          <//>`
    }
  <//>`;
};

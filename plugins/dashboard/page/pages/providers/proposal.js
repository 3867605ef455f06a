import { useState } from 'preact/hooks';
import { CopyButton } from '../../components/copy-button.js';
import { Dialog } from '../../components/dialog.js';
import { Field, listOptions } from '../../components/field.js';
import { html } from '../../components/html.js';
import { useSubmit } from '../../components/submit.js';
import { send } from '../../data/api.js';

/**
 * @typedef {object} Problem
 * @property {number} line
 * @property {string} severity
 * @property {string} message
 */
/** @typedef {{ yaml: string, problems: readonly Problem[] }} Proposed */
/** @typedef {Readonly<Record<string, string>>} Draft */

/** @param {string} text */
const number = (text) => (text.trim() === '' ? undefined : Number(text));

/** What is billed by something else than tokens has no price of tokens, unless one is given. @param {Draft} draft */
const writePrice = ({ input = '', output = '', unit = '', unitPrice = '' }) => {
  if (unit !== '' && unitPrice.trim() !== '')
    return { input: number(input) ?? 0, output: number(output) ?? 0, units: { [unit]: number(unitPrice) } };
  const price = { input: number(input), output: number(output) };
  return price.input === undefined && price.output === undefined ? undefined : price;
};

/** The body of a proposal. Empty fields are left out. @param {'provider' | 'model'} kind @param {Draft} draft */
const writeBody = (kind, draft) => {
  if (kind === 'model') {
    const { id, provider, model } = draft;
    const price = writePrice(draft);
    return { model: { id, provider, model, ...(price === undefined ? {} : { price }) } };
  }
  const { name, use, variable = '', baseUrl = '' } = draft;
  const settings = {
    ...(variable === '' ? {} : { apiKey: `\${${variable}}` }),
    ...(baseUrl === '' ? {} : { baseUrl }),
  };
  return { provider: { name, use, settings } };
};

/** @type {Readonly<Record<'provider' | 'model', readonly { name: string, label: string, hint?: string }[]>>} */
const texts = {
  provider: [
    { name: 'name', label: 'Name of the provider', hint: 'Of your choice: models refer to it' },
    { name: 'variable', label: 'Variable with the key', hint: 'Such as OPENAI_API_KEY, without $ and braces' },
    { name: 'baseUrl', label: 'Base URL', hint: 'Empty: that of the vendor' },
  ],
  model: [
    { name: 'id', label: 'Model', hint: 'As clients name it, such as openai/gpt-4.1' },
    { name: 'model', label: 'Name at the provider' },
    { name: 'input', label: 'Price of input', hint: 'USD per million tokens; without both: that of the provider' },
    { name: 'output', label: 'Price of output' },
    { name: 'unitPrice', label: 'Price of a unit', hint: 'USD for each; without it: billed by tokens' },
  ],
};

/** What models are billed by besides tokens. */
const units = ['', 'images', 'seconds', 'characters', 'searches'];

/** @param {{ proposed: Proposed, file: string }} props */
const Result = ({ proposed: { yaml, problems }, file }) => html`
  <pre tabindex="0" role="region" aria-label="Proposal">${yaml}</pre>
  <p class="actions"><${CopyButton} text=${yaml} /></p>
  <p role="status">
    ${problems.length === 0 ? 'The gateway would accept it.' : 'With this the gateway reports:'}${' '}
    <span class="muted">Add it to ${file}; entries go below those that are there.</span>
  </p>
  ${
    problems.length > 0 &&
    html`<ul class="problems">
      ${problems.map(
        ({ line, severity, message }) => html`<li key=${message}>Line ${line}, ${severity}: ${message}</li>`,
      )}
    </ul>`
  }
`;

/**
 * A form that writes YAML for the file, which the gateway examines as it reads its configuration.
 * @param {object} props
 * @param {'provider' | 'model'} props.kind
 * @param {readonly string[]} props.choices what `use` can be, or the providers
 * @param {string} props.file
 * @param {() => void} props.close
 */
export const Propose = ({ kind, choices, file, close }) => {
  const choice = kind === 'model' ? 'provider' : 'use';
  const [draft, setDraft] = useState(/** @type {Draft} */ ({ [choice]: choices[0] ?? '' }));
  const [proposed, setProposed] = useState(/** @type {Proposed | undefined} */ (undefined));
  const { isBusy, problem, submit } = useSubmit(new Set(), async () => {
    setProposed(undefined);
    setProposed(/** @type {Proposed} */ (await send('POST', '/admin/proposals', writeBody(kind, draft))));
  });
  const refused = proposed === undefined ? problem.message : '';
  /** @param {string} name */
  const change = (name) => (/** @type {string} */ value) => setDraft((last) => ({ ...last, [name]: value }));
  return html`<${Dialog} title=${`Propose a ${kind}`} close=${close}>
    <form onSubmit=${submit}>
      <div class="field-row">
        <${Field}
          id=${`propose-${choice}`}
          label=${kind === 'model' ? 'Provider' : 'Kind'}
          tag="select"
          value=${draft[choice]}
          change=${change(choice)}
          children=${listOptions(choices, '')}
        />
        ${texts[kind].map(
          ({ name, ...field }) =>
            html`<${Field}
              key=${name}
              id=${`propose-${name}`}
              value=${draft[name] ?? ''}
              change=${change(name)}
              ...${field}
            />`,
        )}
        ${
          kind === 'model' &&
          html`<${Field}
            id="propose-unit"
            label="Unit"
            tag="select"
            value=${draft['unit'] ?? ''}
            change=${change('unit')}
            children=${listOptions(units, 'tokens only')}
          />`
        }
      </div>
      ${refused !== '' && html`<p class="bad" role="alert">${refused}</p>`}
      <p class="actions"><button class="primary" disabled=${isBusy}>Write YAML</button></p>
    </form>
    ${proposed !== undefined && html`<${Result} proposed=${proposed} file=${file} />`}
  <//>`;
};

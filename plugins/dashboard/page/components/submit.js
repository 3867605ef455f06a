import { useState } from 'preact/hooks';
import { ApiError } from '../data/api.js';
import { Field } from './field.js';
import { html } from './html.js';

/** The member of the body that a problem is about: `limits` of `keys[3].limits[0].per`. @param {string} param */
const memberOf = (param) => {
  const member = /^(?:keys?(?:\[\d+\])?\.)?(\w+)/.exec(param)?.[1] ?? '';
  return member === 'expiresAt' ? 'expires' : member;
};

/**
 * Sends a form, and keeps what the gateway found wrong with it.
 * @param {ReadonlySet<string>} fields members that have a field; a problem with another one has no member
 * @param {() => Promise<void>} send
 */
export const useSubmit = (fields, send) => {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState({ member: '', message: '' });
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await send();
    } catch (thrown) {
      const member = thrown instanceof ApiError ? memberOf(thrown.param) : '';
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      setProblem({ member: fields.has(member) ? member : '', message });
    }
    setBusy(false);
  };
  return { isBusy, problem, submit };
};

/**
 * A form, its fields, and what the gateway found wrong with them.
 * @template {object} D
 * @param {string} prefix of the ids
 * @param {D} initial
 * @param {ReadonlySet<string>} fields as `useSubmit` has them
 * @param {(draft: D) => Promise<void>} send
 */
export const useForm = (prefix, initial, fields, send) => {
  const [draft, setDraft] = useState(initial);
  const { isBusy, problem, submit } = useSubmit(fields, () => send(draft));
  /** @param {Partial<D>} part */
  const change = (part) => setDraft((last) => ({ ...last, ...part }));
  /** @param {...string} names */
  const errorOf = (...names) => (names.includes(problem.member) ? problem.message : undefined);
  /** @param {keyof D & string} name @param {string} label @param {Readonly<Record<string, unknown>>} [more] */
  const field = (name, label, more = {}) => html`<${Field}
    id=${`${prefix}-${name}`}
    label=${label}
    value=${draft[name]}
    change=${(/** @type {string} */ value) => setDraft((last) => ({ ...last, [name]: value }))}
    error=${errorOf(name)}
    ...${more}
  />`;
  /** The end of the form: a problem that no field has, and the button. @param {string} action */
  const end = (action) => html`
    ${problem.member === '' && html`<p class="bad" role="alert">${problem.message}</p>`}
    <p class="actions"><button class="primary" disabled=${isBusy}>${action}</button></p>
  `;
  return { draft, change, errorOf, field, submit, end };
};

/** Runs an action of a button, and keeps its problem. @param {() => Promise<void>} run */
export const useAction = (run) => {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const start = async () => {
    setBusy(true);
    await run().catch((thrown) => setProblem(thrown instanceof Error ? thrown.message : String(thrown)));
    setBusy(false);
  };
  return { isBusy, problem, start };
};

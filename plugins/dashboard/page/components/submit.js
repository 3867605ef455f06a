import { useState } from 'preact/hooks';
import { ApiError } from '../data/api.js';

/** The member of the body that a problem is about: `limits` of `keys[3].limits[0].per`. @param {string} param */
const memberOf = (param) => /^(?:keys?(?:\[\d+\])?\.)?(\w+)/.exec(param)?.[1] ?? '';

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

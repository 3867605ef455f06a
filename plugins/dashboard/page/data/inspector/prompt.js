import { send } from '../api.js';

/**
 * What the prompt log has of a request: docs/govern/prompt-log.md. Texts are redacted.
 * @typedef {object} Part
 * @property {string} type
 * @property {string} [text]
 * @property {string} [name] of a tool
 * @property {string} [input] of a tool
 * @property {readonly Part[]} [parts]
 */
/** @typedef {{ readonly role: string, readonly parts: readonly Part[] }} Turn */
/**
 * @typedef {object} PromptRecord
 * @property {{ readonly turns?: readonly Turn[] } & Readonly<Record<string, unknown>>} request
 * @property {{ readonly choices?: readonly { readonly parts: readonly Part[] }[] }} [response]
 * @property {boolean} [cut] of the response, only the beginning was kept
 */

/** @param {{ readonly id: string, readonly time: string }} request @returns {Promise<PromptRecord>} */
export const readPrompt = async ({ id, time }) =>
  /** @type {PromptRecord} */ (await send('POST', '/admin/prompts', { id, time }));

/** @param {Part} part @returns {string} */
export const textOf = ({ type, text, name, input, parts }) => {
  if (text !== undefined) return text;
  if (type === 'tool-call') return `${name}(${input ?? ''})`;
  if (parts !== undefined) return parts.map(textOf).join('\n');
  return `[${type}]`;
};

/** @import { ComponentChildren } from 'preact' */
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from './html.js';

/**
 * A modal dialog, open while it is rendered. Escape closes it unless `isLocked`.
 * @param {object} props
 * @param {string} props.title
 * @param {() => void} props.close
 * @param {boolean} [props.isLocked] it can only be closed with a button: what it shows is not shown again
 * @param {ComponentChildren} props.children
 */
export const Dialog = ({ title, close, isLocked = false, children }) => {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  /** @param {Event} event */
  const onCancel = (event) => {
    event.preventDefault();
    if (!isLocked) close();
  };
  return html`
    <dialog ref=${dialog} aria-labelledby="dialog-title" onCancel=${onCancel}>
      <div class="dialog-head">
        <h2 id="dialog-title">${title}</h2>
        ${isLocked ? null : html`<button type="button" onClick=${close}>Close</button>`}
      </div>
      <div class="dialog-body">${children}</div>
    </dialog>
  `;
};

/**
 * Which dialog is open.
 * @template T
 * @param {T} none
 * @param {() => void} changed called when one is closed after a change
 */
export const useDialog = (none, changed) => {
  const [opened, open] = useState(none);
  /** @param {boolean} isChanged */
  const close = (isChanged) => {
    open(none);
    if (isChanged) changed();
  };
  return { opened, open, close };
};

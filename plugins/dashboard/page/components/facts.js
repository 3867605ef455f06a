/** @import { ComponentChildren } from 'preact' */
import { html } from './html.js';

/**
 * Names and values. Facts without a value are left out.
 * @param {{ facts: readonly (readonly [string, ComponentChildren])[] }} props
 */
export const Facts = ({ facts }) => html`
  <dl class="facts">
    ${facts
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(
        ([name, value]) =>
          html`<div key=${name}>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>
`;

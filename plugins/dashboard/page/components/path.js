import { html } from './html.js';

/** A name such as `acme/web/alice`, which can be broken after each slash. @param {{ name: string }} props */
export const Path = ({ name }) => name.split('/').map((part, index) => (index === 0 ? part : html`/<wbr />${part}`));

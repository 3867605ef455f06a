import htm from 'htm';
import { h } from 'preact';

/** JSX as template literals. */
export const html = htm.bind(h);

import htm from 'htm';
import { h } from 'preact';

/** JSX as a template. */
export const html = htm.bind(h);

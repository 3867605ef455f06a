import { escapeRegExp } from '../../canonical/text/escape-reg-exp.ts';

/** Whether the value of `user-agent` names a coding agent. */
export type IsCodingAgent = (userAgent: string | undefined) => boolean;

/**
 * Compiles the list of products. A product also stands for its variants: `codex` for `codex_exec/0.169.0` and
 * `codex-tui`.
 */
export function createIsCodingAgent(products: readonly string[]): IsCodingAgent {
  if (products.length === 0) return () => false;
  const pattern = new RegExp(`(?:^|\\s)(?:${products.map(escapeRegExp).join('|')})(?=[\\s/_-]|$)`, 'i');
  return (userAgent = '') => pattern.test(userAgent);
}

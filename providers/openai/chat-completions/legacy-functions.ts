import type { GenerateRequest } from '../../../core/index.ts';

/**
 * Clients older than `tools` send `functions` and read `message.function_call`. The canonical form has tools only, so the request is marked:
 * a symbol rides along when the request is spread and is invisible to everyone else.
 */
const LEGACY = Symbol('functions instead of tools');

export function markLegacy(request: GenerateRequest): GenerateRequest {
  const marked: GenerateRequest & { readonly [LEGACY]: true } = { ...request, [LEGACY]: true };
  return marked;
}

/** Does this client read `function_call` instead of `tool_calls`? */
export const isLegacy = (request: GenerateRequest): boolean => LEGACY in request;

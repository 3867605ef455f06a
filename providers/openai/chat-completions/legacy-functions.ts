import type { GenerateRequest } from '../../../core/api/index.ts';

/**
 * Marks requests of clients older than `tools`, which send `functions` and read `message.function_call`. The canonical
 * form has tools only. A symbol is copied when the request is spread, and no other code sees it.
 */
const LEGACY = Symbol('functions instead of tools');

export function markLegacy(request: GenerateRequest): GenerateRequest {
  const marked: GenerateRequest & { readonly [LEGACY]: true } = { ...request, [LEGACY]: true };
  return marked;
}

/** Whether this client reads `function_call` instead of `tool_calls`. */
export const isLegacy = (request: GenerateRequest): boolean => LEGACY in request;

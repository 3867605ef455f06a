import type { JsonObject, TokenCount } from '../../../../core/api/index.ts';
import type { WriteContext } from '../../../../core/api/codec.ts';

const WHY = 'only a target with this wire returns it';

/** The count. A target with another wire has no ids of tokens, and the gateway has no tokenizer: they are null. */
export function encodeResponse(
  { inputTokens }: TokenCount,
  { request, lose }: WriteContext<'count-tokens'>,
): JsonObject {
  lose('tokens', 'dropped', WHY);
  lose('max_model_len', 'dropped', WHY);
  if (request.extra.members['return_token_strs'] === true) lose('token_strs', 'dropped', WHY);
  return { count: inputTokens, max_model_len: null, tokens: null, token_strs: null };
}

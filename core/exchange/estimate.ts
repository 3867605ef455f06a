import type { Operation } from '../canonical/wire.ts';
import type { RequestOf } from '../contracts/codec.ts';
import type { Estimate } from '../contracts/exchange.ts';
import type { Capabilities } from '../contracts/capabilities.ts';

/** English text has about four bytes a token; no tokenizer runs on the request path. */
const BYTES_PER_TOKEN = 4;
/** What an answer is taken to cost when neither the client nor the model names a cap. */
const DEFAULT_OUTPUT = 4_096;

/** Tokens a request may use: its input by its bytes, its output by the cap it declared, else by the model's, times the answers it asked for. */
export const estimateTokens = <O extends Operation>(operation: O, bytes: number, request: RequestOf<O>, capabilities: Capabilities): Estimate => {
  const inputTokens = Math.ceil(bytes / BYTES_PER_TOKEN);
  if (operation !== 'generate' || !('turns' in request)) return { inputTokens, outputTokens: 0 };
  const cap = request.maxTokens ?? capabilities.maxOutput ?? DEFAULT_OUTPUT;
  return { inputTokens, outputTokens: cap * request.choices };
};

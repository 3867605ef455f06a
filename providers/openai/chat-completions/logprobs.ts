import type { JsonObject, Logprob, TokenLogprob } from '../../../core/api/index.ts';
import { readList, readLogprob, readLogprobs, readObject } from '../../../core/api/codec.ts';

const readLegacyTop = (value: unknown): readonly Logprob[] =>
  Object.entries(readObject(value)).flatMap(([token, logprob]) => readLogprob({ token, logprob }));

/**
 * The lists of completions, which are side by side, and which some servers of chat completions have too:
 * https://platform.openai.com/docs/api-reference/completions/object
 */
const readLegacy = (found: Readonly<JsonObject>): readonly TokenLogprob[] => {
  const [values, top] = [readList(found['token_logprobs']), readList(found['top_logprobs'])];
  return readList(found['tokens']).flatMap((token, index) =>
    readLogprob({ token, logprob: values[index] }).map((known) => ({ ...known, top: readLegacyTop(top[index]) })),
  );
};

/** The tokens of a choice. */
interface ChoiceLogprobs {
  readonly content: readonly TokenLogprob[];
  readonly refusal: readonly TokenLogprob[];
}

/** `logprobs` of a choice: https://platform.openai.com/docs/api-reference/chat/object */
export function readChoiceLogprobs(found: Readonly<JsonObject>): ChoiceLogprobs {
  const content = readLogprobs(found['content']);
  return { content: content.length > 0 ? content : readLegacy(found), refusal: readLogprobs(found['refusal']) };
}

/** Clients expect the bytes, which not every vendor sends. */
const writeLogprob = ({ token, logprob, bytes = [...Buffer.from(token)] }: Logprob): JsonObject => ({
  token,
  logprob,
  bytes,
});

/** The same list on chat completions and responses. */
export const writeLogprobs = (tokens: readonly TokenLogprob[]): readonly JsonObject[] =>
  tokens.map((token) => ({ ...writeLogprob(token), top_logprobs: token.top.map(writeLogprob) }));

/** The lists of completions. A token that is twice among the most likely ones is one member. */
export function writeLegacyLogprobs(tokens: readonly TokenLogprob[], from: number): JsonObject {
  let offset = from;
  return {
    tokens: tokens.map(({ token }) => token),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    top_logprobs: tokens.map(({ top }) => Object.fromEntries(top.map(({ token, logprob }) => [token, logprob]))),
    text_offset: tokens.map(({ token }) => (offset += token.length) - token.length),
  };
}

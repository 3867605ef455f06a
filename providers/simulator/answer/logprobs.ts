import type { GenerateRequest, Part, TokenLogprob } from '../../../core/api/index.ts';
import { splitPieces } from '../tokens.ts';

/** Each token is as likely as not, and each alternative half as likely as the one before. */
const HALF = Math.log(0.5);
const alternatives = ' the of and to in is that it for was on are as with they at be this from or have'.split(/(?= )/);

const composeToken = (token: string, count: number): TokenLogprob => {
  const likely = [token, ...alternatives.filter((other) => other !== token)].slice(0, count);
  return {
    token,
    logprob: HALF,
    top: likely.map((other, place) => ({ token: other, logprob: HALF * (place + 1) })),
  };
};

/** Adds to each text what the client asks for. */
export const addLogprobs = (parts: readonly Part[], { logprobs: count }: GenerateRequest): readonly Part[] =>
  count === undefined
    ? parts
    : parts.map((part) =>
        part.type === 'text'
          ? { ...part, logprobs: Array.from(splitPieces(part.text), (token) => composeToken(token, count)) }
          : part,
      );

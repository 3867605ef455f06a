import type { JsonObject, Logprob, TokenLogprob } from '../../../core/api/index.ts';
import { omitUndefined, readList, readObject, readObjects } from '../../../core/api/codec.ts';

const readCandidate = ({ token, logProbability: logprob, tokenId: id }: Readonly<JsonObject>): readonly Logprob[] =>
  typeof token === 'string' && typeof logprob === 'number'
    ? [{ token, logprob, ...(typeof id === 'number' ? { id } : {}) }]
    : [];

/** The tokens that the model chose, with those of `topCandidates` at their places. */
export function readLogprobs(result: Readonly<JsonObject>): readonly TokenLogprob[] {
  const top = readList(result['topCandidates']);
  return readObjects(result['chosenCandidates']).flatMap((chosen, index) =>
    readCandidate(chosen).map((known) => ({
      ...known,
      top: readObjects(readObject(top[index])['candidates']).flatMap(readCandidate),
    })),
  );
}

const writeCandidate = ({ token, id, logprob }: Logprob): JsonObject =>
  omitUndefined({ token, tokenId: id, logProbability: logprob });

/** https://ai.google.dev/api/generate-content#LogprobsResult */
export const writeLogprobs = (tokens: readonly TokenLogprob[]): JsonObject =>
  tokens.length === 0
    ? {}
    : {
        logprobsResult: {
          chosenCandidates: tokens.map(writeCandidate),
          topCandidates: tokens.map(({ top }) => ({ candidates: top.map(writeCandidate) })),
        },
      };

/** The mean of the tokens of a candidate. */
export class MeanLogprob {
  #sum = 0;
  #count = 0;

  add(tokens: readonly TokenLogprob[]): void {
    for (const { logprob } of tokens) this.#sum += logprob;
    this.#count += tokens.length;
  }

  write(): JsonObject {
    return this.#count === 0 ? {} : { avgLogprobs: this.#sum / this.#count };
  }
}

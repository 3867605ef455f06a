import type { GenerateRequest } from './request.ts';

/**
 * The members of a request that matter when its tokens are counted. Leaving out the others, which concern the response,
 * is not a loss.
 */
export function promptOf(request: GenerateRequest): GenerateRequest {
  const {
    maxTokens: _cap,
    temperature: _t,
    topP: _p,
    topK: _k,
    seed: _seed,
    presencePenalty: _presence,
    frequencyPenalty: _frequency,
    stop: _stop,
    logprobs: _logprobs,
    ...prompt
  } = request;
  const { user: _user, serviceTier: _tier, cacheKey: _key, store: _store, verbosity: _verbosity, ...counted } = prompt;
  return { ...counted, choices: 1, stream: false };
}

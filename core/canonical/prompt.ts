import type { GenerateRequest } from './request.ts';

/** What a request weighs when its tokens are counted. What it says about the answer weighs nothing, and to leave that out loses nothing. */
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
    ...prompt
  } = request;
  const { user: _user, serviceTier: _tier, cacheKey: _key, store: _store, verbosity: _verbosity, ...counted } = prompt;
  return { ...counted, choices: 1, stream: false };
}

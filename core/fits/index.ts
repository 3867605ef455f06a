import type { Fit } from '../contracts/fit.ts';
import { assistantTurnsFit } from './turns/assistant-turns.ts';
import { customToolsFit } from './tools/custom-tools.ts';
import { forcedToolFit } from './tools/forced-tool.ts';
import { foreignProofsFit } from './reasoning/foreign-proofs.ts';
import { hostedToolsFit } from './tools/hosted-tools.ts';
import { jsonOutputFit } from './output/json-output.ts';
import { logprobsFit } from './output/logprobs.ts';
import { maxTokensFit } from './reasoning/max-tokens.ts';
import { mediaUrlsFit } from './media/media-urls.ts';
import { mediaFit } from './media/media.ts';
import { prefillFit } from './turns/prefill.ts';
import { promptCacheFit } from './cache/prompt-cache.ts';
import { reasoningFit } from './reasoning/reasoning.ts';
import { schemaDialectFit } from './output/schema-dialect.ts';
import { samplingFit } from './reasoning/sampling.ts';
import { stopSequencesFit } from './output/stop-sequences.ts';
import { strictOutputFit } from './output/strict-output.ts';
import { systemTurnsFit } from './turns/system-turns.ts';
import { thinkingReplayFit } from './reasoning/thinking-replay.ts';
import { toolNamesFit } from './tools/tool-names.ts';
import { toolPairingFit } from './tools/tool-pairing.ts';
import { undeclaredToolsFit } from './tools/undeclared-tools.ts';
import { vendorStateFit } from './vendor-state.ts';

export { applyFits, selectFits, type FittedRequest } from './support/compose.ts';
export { composeFilters } from './support/filter.ts';

/** The fits of the core in execution order. Their filters run in reverse order. */
export const coreFits: readonly Fit[] = [
  // Refuses, and reads few members: the cheapest check. Copies calls before the fits that move them, while their places
  // are known, and decides which tools there are.
  vendorStateFit,
  // Refuses: after the fit that decides which tools there are.
  hostedToolsFit,
  // Refuses, and reads every part: the last of those that need the request only.
  mediaFit,
  // Downloads: after the fits that refuse.
  mediaUrlsFit,
  // Removes parts and even turns: before every fit that depends on the end of the conversation or the content of a
  // turn.
  foreignProofsFit,
  // Converts system turns to user turns: roles are final after it.
  systemTurnsFit,
  // Joins consecutive assistant turns: needs the roles; after it "the last assistant turn" is complete.
  assistantTurnsFit,
  // The output cap, which includes reasoning.
  maxTokensFit,
  // Effort and budget: needs the cap; after it is known whether the model thinks.
  reasoningFit,
  // Can switch thinking off: needs the remaining reasoning in the history and the final budget; before every fit that
  // depends on thinking.
  thinkingReplayFit,
  // Can append a user turn: needs the roles and whether the model thinks; before pairing, because a call in a turn that
  // is no longer the last needs a result.
  prefillFit,
  // Pairs calls and results: needs the final list of turns.
  toolPairingFit,
  // Needs to know whether the model thinks.
  samplingFit,
  // Independent of the others.
  logprobsFit,
  stopSequencesFit,
  // Needs to know whether the model thinks; before declarations are added, which would make an unused tool choice
  // effective.
  forcedToolFit,
  // Adds tools: before the two that rewrite tools.
  undeclaredToolsFit,
  // Before the names: its filter then gets the names that the client declared.
  customToolsFit,
  // After it every name but that of the hidden tool is final.
  toolNamesFit,
  // Before the next one, which can remove the schema.
  strictOutputFit,
  // The last with a filter: its tool must not collide with a final name, and its filter must get the provider's events
  // unchanged.
  jsonOutputFit,
  // After the fits that decide which tools and which format there are.
  schemaDialectFit,
  // Last: marks the end of the final prompt, including what other fits have added.
  promptCacheFit,
];

import type { Fit } from '../contracts/fit.ts';
import { assistantTurnsFit } from './turns/assistant-turns.ts';
import { customToolsFit } from './tools/custom-tools.ts';
import { forcedToolFit } from './tools/forced-tool.ts';
import { foreignProofsFit } from './reasoning/foreign-proofs.ts';
import { hostedToolsFit } from './tools/hosted-tools.ts';
import { jsonOutputFit } from './output/json-output.ts';
import { maxTokensFit } from './reasoning/max-tokens.ts';
import { mediaUrlsFit } from './media/media-urls.ts';
import { mediaFit } from './media/media.ts';
import { prefillFit } from './turns/prefill.ts';
import { promptCacheFit } from './cache/prompt-cache.ts';
import { reasoningFit } from './reasoning/reasoning.ts';
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

/** The core's rules in the order they run; their filters run in the opposite order. */
export const coreFits: readonly Fit[] = [
  // Refuses, and reads one member: nothing cheaper can end a request that this target will not carry.
  vendorStateFit,
  // Refuses, and looks at the tools as the client sent them.
  hostedToolsFit,
  // Refuses, and reads every part: last of those that need nothing but the request.
  mediaFit,
  // Fetches: nothing is downloaded for a request that was going to be refused.
  mediaUrlsFit,
  // Takes parts and even turns away: all that asks how a conversation ends or what a turn holds comes behind it.
  foreignProofsFit,
  // Makes user turns of system turns: behind it roles are final.
  systemTurnsFit,
  // Makes one of assistant turns in a row: needs the roles; behind it "the last assistant turn" is the whole of what the model last did.
  assistantTurnsFit,
  // The cap: thinking is paid out of it.
  maxTokensFit,
  // Effort and budget: needs the cap; behind it "does the model think" has its answer, which the next ones ask.
  reasoningFit,
  // May switch thinking off: needs the reasoning that is left in the history and the final budget, and precedes all that depend on thinking.
  thinkingReplayFit,
  // May append a user turn: needs the roles and whether the model thinks; before pairing, since a call that is no longer last needs a result.
  prefillFit,
  // Calls and results: needs the final list of turns.
  toolPairingFit,
  // Needs to know whether the model thinks.
  samplingFit,
  // Depends on nothing.
  stopSequencesFit,
  // Needs to know whether the model thinks; before declarations are added, which would give an idle tool choice a meaning.
  forcedToolFit,
  // Adds tools: before the two that rewrite tools.
  undeclaredToolsFit,
  // Before names: its filter then sees the names that the client declared.
  customToolsFit,
  // Behind it all names but that of the hidden tool are final.
  toolNamesFit,
  // Before the next, which may take the schema away.
  strictOutputFit,
  // The last with a filter: its tool must collide with no final name, and its filter must see the provider's events before anyone has changed them.
  jsonOutputFit,
  // Last: marks the end of what is sent, lines and tools of the others included.
  promptCacheFit,
];

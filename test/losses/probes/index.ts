import type { Probe, Wire } from '../probe.ts';
import { chatProbes } from './chat-completions.ts';
import { generateContentProbes } from './generate-content.ts';
import { interactionsProbes } from './interactions.ts';
import { messagesProbes } from './messages.ts';
import { responsesProbes } from './responses.ts';

/** Every feature of the page, by the client's wire. */
export const probes: Readonly<Record<Wire, readonly Probe[]>> = {
  'chat-completions': chatProbes,
  messages: messagesProbes,
  responses: responsesProbes,
  'generate-content': generateContentProbes,
  'interactions': interactionsProbes,
};

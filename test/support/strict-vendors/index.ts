import { chatRules } from './chat-rules.ts';
import { hostRules } from './host-rules.ts';
import { interactionsRules } from './interactions-rules.ts';
import { makerRules } from './maker-rules.ts';
import { messagesRules } from './messages-rules.ts';
import { cohereRules, converseRules, googleRules, ollamaRules } from './other-rules.ts';
import { responsesRules } from './responses-rules.ts';
import type { Rule, VendorCall } from './rule.ts';

export type { Rule, VendorCall } from './rule.ts';

/** What vendors refuse, each with its source. A new refusal is one row. */
export const rules: readonly Rule[] = [
  ...chatRules,
  ...hostRules,
  ...makerRules,
  ...messagesRules,
  ...responsesRules,
  ...googleRules,
  ...interactionsRules,
  ...converseRules,
  ...cohereRules,
  ...ollamaRules,
];

/** Why the vendor refuses a call; undefined if it does not. */
export const findRefusal = (at: string, { model, body }: VendorCall): string | undefined =>
  rules.find((rule) => rule.at === at && rule.models?.test(model) !== false && rule.refuses(body))?.what;

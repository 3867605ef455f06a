import type { Wire } from '../../matrix/wires.ts';
import type { BadMember } from './bad-member.ts';
import { badChat } from './chat.ts';
import { badGoogle } from './google.ts';
import { badMessages } from './messages.ts';
import { badResponses } from './responses.ts';

/** Wrong values of every documented member. */
export const badMembers: Readonly<Record<Wire, readonly BadMember[]>> = {
  chat: badChat,
  messages: badMessages,
  responses: badResponses,
  google: badGoogle,
};

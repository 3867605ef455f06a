import type { Json, Wire } from '../../../matrix/wires.ts';
import { findChatFault } from './chat.ts';
import { findGoogleFault } from './google.ts';
import { findMessagesFault } from './messages.ts';
import { findResponsesFault } from './responses.ts';

const finders: Readonly<Record<Wire, (body: Json) => string | undefined>> = {
  chat: findChatFault,
  messages: findMessagesFault,
  responses: findResponsesFault,
  google: findGoogleFault,
};

/** Why the vendor of this wire would refuse the request, if it would. */
export const findFault = (wire: Wire, body: Json): string | undefined => finders[wire](body);

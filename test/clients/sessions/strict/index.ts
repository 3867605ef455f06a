import type { Json, Wire } from '../../../matrix/wires.ts';
import { findRefusal } from '../../../support/strict-vendors/index.ts';
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

/** The vendor whose pages say what is refused. */
const vendors: Readonly<Record<Wire, string>> = {
  chat: 'openai',
  messages: 'anthropic',
  responses: 'responses',
  google: 'google',
};

/** Why the vendor of this wire would refuse the request, if it would. */
export const findFault = (wire: Wire, model: string, body: Json): string | undefined =>
  finders[wire](body) ?? findRefusal(vendors[wire], { model, body });

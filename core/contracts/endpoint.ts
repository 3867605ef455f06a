import type { Headers } from '../canonical/wire.ts';
import type { AdminReply } from './admin.ts';
import type { Caller } from './caller.ts';

/** A call on the data listener, of somebody whose key was found good. */
export interface EndpointRequest {
  readonly caller: Caller;
  readonly query: Headers;
  readonly headers: Headers;
}

/** Calls of a plugin on the data listener. Who has no good key never reaches them. */
export interface EndpointRouter {
  /** @param answer may throw GatewayError, which is answered in the shape of the chat-completions wire */
  get(path: string, answer: (request: EndpointRequest) => AdminReply | Promise<AdminReply>): void;
}

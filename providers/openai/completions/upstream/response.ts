import type { GenerateResponse } from '../../../../core/api/index.ts';
import { type ExtraMembers, isObject, type ReadContext } from '../../../../core/api/codec.ts';
import { decodeResponse as decodeChat } from '../../chat-completions/upstream/response/response.ts';
import { WIRE } from '../shape.ts';
import { toChatForm } from './chat-form.ts';

/** Extra members belong to this wire. */
const own = <T extends { readonly extra?: ExtraMembers }>(value: T): T =>
  value.extra === undefined ? value : { ...value, extra: { ...value.extra, wire: WIRE } };

/** @throws GatewayError the error that a 200 can hold, or `upstream_bad_response` */
export function decodeResponse(body: unknown, context: ReadContext): GenerateResponse {
  const response = own(decodeChat(isObject(body) ? toChatForm(body, 'message') : body, context));
  return { ...response, choices: response.choices.map(own) };
}

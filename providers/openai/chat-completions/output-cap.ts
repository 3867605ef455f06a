import type { GenerateRequest, JsonObject } from '../../../core/api/index.ts';
import type { BodyEdit, Members } from '../../../core/api/codec.ts';
import { readForm } from './request-form.ts';
import { WIRE } from './shape.ts';

/**
 * The two members that hold a cap on the output:
 * https://platform.openai.com/docs/api-reference/chat/create#chat-create-max_completion_tokens
 */
const OLDER = 'max_tokens';
const NEWER = 'max_completion_tokens';

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * The output cap of a request, and whether it is in the older member. With both members set, that one counts.
 * @throws GatewayError 400 where either is no positive integer
 */
export function readOutputCap(body: Members): { readonly maxTokens: number | undefined; readonly olderCap: boolean } {
  const older = body.number(OLDER, { integer: true, min: 1 });
  const newer = body.number(NEWER, { integer: true, min: 1 });
  return { maxTokens: older ?? newer, olderCap: older !== undefined };
}

/** The member in which the cap is written on the translated lane, if the target reads either. */
export const nameOutputCap = (request: GenerateRequest): string =>
  request.wire === WIRE && readForm(request)?.olderCap === true ? OLDER : NEWER;

/**
 * Leaves only the cap that was read in the client's body, because a server might use the other.
 * @param capMember the member that the target reads; without it, the client's own member stays
 */
export function editOutputCap(body: Readonly<JsonObject>, capMember: string | undefined): readonly BodyEdit[] {
  const source = isSet(body[OLDER]) ? OLDER : NEWER;
  const cap = body[source];
  if (!isSet(cap)) return [];
  const target = capMember ?? source;
  const edits: BodyEdit[] = [];
  for (const member of [OLDER, NEWER])
    if (member !== target && isSet(body[member])) edits.push({ member, value: undefined });
  if (source !== target) edits.push({ member: target, value: cap });
  return edits;
}

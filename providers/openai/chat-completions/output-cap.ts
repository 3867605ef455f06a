import type { BodyEdit, JsonObject, Members } from '../../../core/index.ts';

/**
 * The two members that hold a cap on the output:
 * https://platform.openai.com/docs/api-reference/chat/create#chat-create-max_completion_tokens
 */
const OLDER = 'max_tokens';
const NEWER = 'max_completion_tokens';

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * The cap of a request: the older member counts where both are set.
 * @throws GatewayError 400 where either is no positive integer
 */
export function readOutputCap(body: Members): number | undefined {
  const older = body.number(OLDER, { integer: true, min: 1 });
  const newer = body.number(NEWER, { integer: true, min: 1 });
  return older ?? newer;
}

/** The member that a target is sent the cap in, where the client did not choose one. */
export const nameOutputCap = (capMember: string | undefined): string => capMember ?? NEWER;

/**
 * Leaves one cap in the client's body, the one that was read: a server might count the other.
 * @param capMember the member that the target reads; absent: the client's own choice stays
 */
export function editOutputCap(body: Readonly<JsonObject>, capMember: string | undefined): readonly BodyEdit[] {
  const counts = isSet(body[OLDER]) ? OLDER : NEWER;
  const cap = body[counts];
  if (!isSet(cap)) return [];
  const target = capMember ?? counts;
  const others = [OLDER, NEWER].filter((member) => member !== target && isSet(body[member]));
  const removed = others.map((member) => ({ member, value: undefined }));
  return counts === target ? removed : [...removed, { member: target, value: cap }];
}

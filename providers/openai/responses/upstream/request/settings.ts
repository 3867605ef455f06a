import type { GenerateRequest, JsonObject } from '../../../../../core/api/index.ts';
import { type Lose, readList } from '../../../../../core/api/codec.ts';
import { shortenUser } from '../../../shorten.ts';
import { readForm } from '../../request-form.ts';
import { ENCRYPTED_REASONING, LOGPROBS, WIRE } from '../../shape.ts';
import { SEARCH_SOURCES } from '../../web-search.ts';

/**
 * `store` and `include`. Nothing is stored at the vendor unless the client asked for it. Without storage, reasoning has
 * to come encrypted, because the next turn needs it: https://platform.openai.com/docs/guides/reasoning. Clients of
 * other wires always need it.
 */
export function encodeStorage(
  { store, tools, vendorState = [], wire, logprobs }: GenerateRequest,
  extra: Readonly<JsonObject>,
): JsonObject {
  // A background response is fetched later, so the vendor has to store it.
  const stored = store ?? vendorState.includes('background');
  const include = readList(extra['include']);
  const included =
    (stored && wire === WIRE) || include.includes(ENCRYPTED_REASONING) ? include : [...include, ENCRYPTED_REASONING];
  const searches = wire !== WIRE && tools.some(({ webSearch }) => webSearch !== undefined) ? [SEARCH_SOURCES] : [];
  const tokens = wire !== WIRE && logprobs !== undefined ? [LOGPROBS] : [];
  const all = [...included, ...searches, ...tokens];
  return { store: stored, ...(all.length === 0 ? {} : { include: all }) };
}

export function encodeUser(request: GenerateRequest, lose: Lose): JsonObject {
  const { user, wire } = request;
  if (user === undefined) return {};
  if (wire === WIRE) return readForm(request).olderUser === true ? { user } : { safety_identifier: user };
  return { safety_identifier: shortenUser(user, lose) };
}

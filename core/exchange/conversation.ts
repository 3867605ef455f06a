import type { Part } from '../canonical/part.ts';
import type { GenerateRequest } from '../canonical/request.ts';
import type { Exchange } from '../contracts/exchange.ts';

/** Characters of a prompt that identify a conversation. */
const PREFIX = 2_048;

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** FNV-1a over the first `length` characters of a text, continued from `hash`. */
export function hashText(text: string, hash = OFFSET, length = text.length): number {
  let mixed = hash;
  for (let index = 0; index < length; index += 1) mixed = Math.imul(mixed ^ text.charCodeAt(index), PRIME);
  return mixed >>> 0;
}

/** Hashes the turns that stay the same while a conversation grows: all up to the first turn of the user. */
const hashPrompt = (request: GenerateRequest, hash: number): number => {
  // The client has named the conversation itself.
  if (request.cacheKey !== undefined)
    return hashText(request.cacheKey, hash, Math.min(request.cacheKey.length, PREFIX));
  let mixed = hash;
  let left = PREFIX;
  const add = (part: Part): void => {
    if (part.type !== 'text' || left === 0) return;
    const length = Math.min(left, part.text.length);
    mixed = hashText(part.text, mixed, length);
    left -= length;
  };
  for (const { role, parts } of request.turns) {
    parts.forEach(add);
    if (role === 'user' || left === 0) break;
  }
  return mixed;
};

/** A number that identifies the conversation of an exchange; undefined for requests that are not conversations. */
export function hashConversation(exchange: Exchange): number | undefined {
  const { request } = exchange;
  if (!('turns' in request)) return undefined;
  const { organization, project, key } = exchange.caller;
  return hashPrompt(request, hashText(`${organization}\n${project}\n${key}\n${exchange.model}\n`));
}

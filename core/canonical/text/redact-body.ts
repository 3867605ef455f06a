import { isObject } from '../json/members.ts';
import { redactSecrets } from './redact.ts';

/** Redacts all texts and names of a parsed body. A body without secrets is returned unchanged. */
export function redactBody(body: unknown, redact: (text: string) => string = redactSecrets): unknown {
  if (typeof body === 'string') return redact(body);
  if (Array.isArray(body))
    return keepSame(
      body,
      body.map((item) => redactBody(item, redact)),
    );
  if (!isObject(body)) return body;
  const entries = Object.entries(body);
  const redacted = entries.map(([name, value]) => [redact(name), redactBody(value, redact)] as const);
  return redacted.every(([name, value], index) => name === entries[index]?.[0] && value === entries[index]?.[1])
    ? body
    : Object.fromEntries(redacted);
}
const keepSame = (list: readonly unknown[], redacted: readonly unknown[]): readonly unknown[] =>
  redacted.every((item, index) => item === list[index]) ? list : redacted;

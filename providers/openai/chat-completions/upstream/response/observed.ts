import type { JsonObject } from '../../../../../core/api/index.ts';
import { isObject, readList, readObject, readText } from '../../../../../core/api/codec.ts';
import { type Varying, weighText } from '../../../../../core/api/internal.ts';
import { holdsError } from './error.ts';
import { readArguments } from './message.ts';

/** Members of a delta, other than text and calls, that the client shows. */
const shownMembers = ['annotations', 'images', 'audio'] as const;

const isFilled = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : isObject(value));

const weighCalls = (message: Readonly<JsonObject>): number => {
  const bodies = [
    message['function_call'],
    ...readList(message['tool_calls']).map((call) => readObject(call)['function'] ?? readObject(call)['custom']),
  ];
  return bodies
    .map(readObject)
    .reduce(
      (sum, body) =>
        sum + weighText(readText(body['name'])) + weighText(readArguments(body['arguments'] ?? body['input'])),
      0,
    );
};
const weighContent = ({ content, refusal }: Readonly<JsonObject>): number =>
  weighText(typeof content === 'string' ? content : isFilled(content) ? JSON.stringify(content) : '') +
  weighText(readText(refusal));

interface Weight {
  /** As `weighText` counts. */
  readonly chars: number;
  readonly reasons: boolean;
  readonly calls: boolean;
  /** The client is shown something: content, a call or reasoning. */
  readonly shows: boolean;
}

/** What a message or delta contains, and how much of it. */
export function weighMessage(message: Readonly<JsonObject>): Weight {
  const reasoning = weighText(readText(message['reasoning_content']) || readText(message['reasoning']));
  const other = weighContent(message) + weighCalls(message);
  const reasons = reasoning > 0 || isFilled(message['reasoning_details']);
  const listed = isFilled(message['tool_calls']);
  const calls = listed || readText(readObject(message['function_call'])['name']) !== '';
  const shows = reasons || listed || other > 0 || shownMembers.some((member) => isFilled(message[member]));
  return { chars: reasoning + other, reasons, calls, shows };
}

/** The text of a chunk that holds nothing else, for a `FrameTemplate`; `undefined` for any other chunk. */
export function readVarying({ choices, usage, x_groq: groq, obfuscation }: JsonObject): Varying | undefined {
  const list = readList(choices);
  const choice = readObject(list[0]);
  const delta = readObject(choice['delta']);
  const text = delta['content'];
  if (list.length !== 1 || typeof text !== 'string' || isObject(usage) || groq !== undefined) return undefined;
  if (readText(choice['finish_reason']) !== '' || holdsError(choice)) return undefined;
  for (const name of Object.keys(delta)) {
    const isSilent = name === 'content' || name === 'role' || delta[name] === null || delta[name] === '';
    if (!isSilent) return undefined;
  }
  return { text, padding: typeof obfuscation === 'string' ? obfuscation : undefined };
}

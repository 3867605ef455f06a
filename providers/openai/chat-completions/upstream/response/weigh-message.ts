import type { JsonObject } from '../../../../../core/api/index.ts';
import { isObject, readList, readObject, readText } from '../../../../../core/api/codec.ts';
import { weighText } from '../../../../../core/api/internal.ts';
import { readArguments } from './message.ts';

/** Members of a delta, other than text and calls, that the client shows. */
const shownMembers = ['annotations', 'images', 'audio'] as const;

const isFilled = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : isObject(value));

const weighCalls = (message: Readonly<JsonObject>): number => {
  if (message['function_call'] === undefined && message['tool_calls'] === undefined) return 0;
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

/** What a choice contains, and how much of it. */
export interface Weight {
  /** As `weighText` counts. */
  readonly chars: number;
  readonly reasons: boolean;
  readonly calls: boolean;
  readonly refuses: boolean;
  /** The client is shown something: content, a call or reasoning. */
  readonly shows: boolean;
}

/** @param message of a choice, or its delta */
export function weighMessage(message: Readonly<JsonObject>): Weight {
  const reasoning = weighText(readText(message['reasoning_content']) || readText(message['reasoning']));
  const other = weighContent(message) + weighCalls(message);
  const reasons = reasoning > 0 || isFilled(message['reasoning_details']);
  const listed = isFilled(message['tool_calls']);
  const calls = listed || readText(readObject(message['function_call'])['name']) !== '';
  const refuses = readText(message['refusal']) !== '';
  const shows = reasons || listed || other > 0 || shownMembers.some((member) => isFilled(message[member]));
  return { chars: reasoning + other, reasons, calls, refuses, shows };
}

import type { JsonObject, Part } from '../../../../../core/api/index.ts';
import { isObject, readText } from '../../../../../core/api/codec.ts';
import { joinNamespace } from '../../namespaces.ts';

/** A call of a function or a custom tool, as an output item. */
export interface CallHead {
  readonly kind: 'function' | 'custom';
  /** Empty when the vendor sent none. */
  readonly id: string;
  readonly name: string;
}

export const readCallHead = (item: Readonly<JsonObject>): CallHead => ({
  kind: item['type'] === 'custom_tool_call' ? 'custom' : 'function',
  id: readText(item['call_id']) || readText(item['id']),
  name: joinNamespace(readText(item['namespace']), readText(item['name'])),
});

/** The input is a text; some servers send an object. */
export function readCallInput(item: Readonly<JsonObject>): string {
  const input = item['arguments'] ?? item['input'];
  return isObject(input) || Array.isArray(input) ? JSON.stringify(input) : readText(input);
}

/** @param derived the id for a call that has none */
export function readCall(item: Readonly<JsonObject>, derived: string): Part {
  const { kind, id, name } = readCallHead(item);
  const input = readCallInput(item);
  return {
    type: 'tool-call',
    id: id || derived,
    name,
    kind,
    input: input === '' && kind === 'function' ? '{}' : input,
  };
}

/** An id for a call that has none, the same each time the same conversation is read. */
export const deriveCallId = (turn: number, call: number): string => `call_${turn}_0_${call}`;

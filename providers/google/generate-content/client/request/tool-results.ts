import type { Part, ToolResultPart } from '../../../../../core/api/index.ts';
import { isObject } from '../../../../../core/api/codec.ts';

const textOf = (value: unknown): readonly Part[] => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '' ? [] : [{ type: 'text', text }];
};

/**
 * `output` holds the result of a function, `error` its failure; without either, the whole object is the result.
 * https://ai.google.dev/api/caching#FunctionResponse
 */
export function decodeResult(response: unknown = {}): Pick<ToolResultPart, 'failed' | 'parts'> {
  const names = isObject(response) ? Object.keys(response) : [];
  const value = (name: string): unknown => (isObject(response) ? (response[name] ?? undefined) : undefined);
  const failed = value('error') !== undefined && value('output') === undefined;
  const only = names.length === 1 ? (value('output') ?? value('error')) : undefined;
  return { failed, parts: textOf(only ?? response) };
}

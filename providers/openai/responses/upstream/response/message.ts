import type { JsonObject, Part } from '../../../../../core/api/index.ts';
import { isObject, lookUp, readList, readText } from '../../../../../core/api/codec.ts';
import { readAnnotations } from '../../annotations.ts';
import { WIRE } from '../../shape.ts';

const kinds: Readonly<Record<string, 'text' | 'refusal'>> = { output_text: 'text', text: 'text', refusal: 'refusal' };

/** Text or refusal; `undefined` for any other type of content. */
export const slotKindOf = (content: Readonly<JsonObject>): 'text' | 'refusal' | undefined =>
  lookUp(kinds, readText(content['type']));

/** The text of a content part. */
export const readContentText = (content: Readonly<JsonObject>): string =>
  readText(content['type'] === 'refusal' ? content['refusal'] : content['text']);

/** `content` of a message. Some servers write a string instead of a list. */
export const listContent = (content: unknown): readonly JsonObject[] =>
  typeof content === 'string' ? [{ type: 'output_text', text: content }] : readList(content).filter(isObject);

const readContent = (content: JsonObject): readonly Part[] => {
  const kind = slotKindOf(content);
  if (kind === undefined) return [{ type: 'opaque', wire: WIRE, value: content }];
  const text = readContentText(content);
  if (text === '') return [];
  if (kind === 'refusal') return [{ type: 'refusal', text }];
  const citations = readAnnotations(content['annotations']);
  return [{ type: 'text', text, ...(citations.length === 0 ? {} : { citations }) }];
};

/** The parts of a message, without empty ones. */
export const readMessage = ({ content }: Readonly<JsonObject>): readonly Part[] =>
  listContent(content).flatMap(readContent);

import { isObject, type Lose, type Media, type OpaquePart } from '../../../../../core/index.ts';
import { WIRE } from '../../shape.ts';
import type { Item, OutputList } from './output-list.ts';

type NewId = (prefix: string) => string;

/** An image that the model made, where this wire shows one: https://platform.openai.com/docs/guides/tools-image-generation */
export function writeImage(output: OutputList, newId: NewId, value: unknown, lose: Lose): void {
  const media = value as Media;
  if (!('base64' in media) || !media.mediaType.startsWith('image/'))
    return lose('output', 'dropped', 'only images given as bytes can be shown in an answer');
  const head = { id: newId('ig_'), type: 'image_generation_call' };
  return output.done(output.add({ ...head, status: 'in_progress', result: null }), {
    ...head,
    status: 'completed',
    result: media.base64,
  });
}

/** An item of this wire that the gateway does not know in detail goes out as it came; the SDK asks for an id. */
export function writeOpaque(output: OutputList, newId: NewId, part: unknown, lose: Lose): void {
  const { wire, value } = part as OpaquePart;
  if (wire !== WIRE || !isObject(value) || typeof value['type'] !== 'string')
    return lose('output', 'dropped', `a block that only ${wire} knows`);
  const { id } = value;
  const item: Item = { ...value, id: typeof id === 'string' && id !== '' ? id : newId('item_'), type: value['type'] };
  return output.done(output.add(item), item);
}

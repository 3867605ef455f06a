import type { Media, OpaquePart, SearchCall } from '../../../../../core/api/index.ts';
import { isObject, type Lose } from '../../../../../core/api/codec.ts';
import { WIRE } from '../../shape.ts';
import type { Item, NewId, OutputList } from './output-list.ts';

/** An image that the model made: https://platform.openai.com/docs/guides/tools-image-generation */
export function writeImage(output: OutputList, newId: NewId, value: unknown, lose: Lose): void {
  const media = value as Media;
  if (!('base64' in media) || !media.mediaType.startsWith('image/'))
    return lose('output', 'dropped', 'responses holds no media but images, and those as bytes');
  const head = { id: newId('ig_'), type: 'image_generation_call' };
  const place = output.add({ ...head, status: 'in_progress', result: null });
  return output.finish(place, { ...head, status: 'completed', result: media.base64 });
}

/** https://platform.openai.com/docs/guides/tools-web-search. Results without a search belong to an earlier item. */
function writeSearch(output: OutputList, newId: NewId, { queries, sources = [] }: SearchCall): void {
  if (queries === undefined) return;
  const action = {
    type: 'search',
    query: queries[0] ?? '',
    queries,
    ...(sources.length === 0 ? {} : { sources: sources.map(({ url }) => ({ type: 'url', url })) }),
  };
  const item: Item = { id: newId('ws_'), type: 'web_search_call', status: 'completed', action };
  const place = output.add({ ...item, status: 'in_progress' });
  for (const phase of ['in_progress', 'searching', 'completed'])
    output.emit(`response.web_search_call.${phase}`, { ...place });
  output.finish(place, item);
}

/** An item that only this wire defines is written unchanged. The SDK requires an id. */
export function writeOpaque(output: OutputList, newId: NewId, part: unknown, lose: Lose): void {
  const { wire, value, search } = part as OpaquePart;
  if (wire !== WIRE && search !== undefined) return writeSearch(output, newId, search);
  if (wire !== WIRE || !isObject(value) || typeof value['type'] !== 'string')
    return lose('output', 'dropped', `a block that exists only on ${wire}`);
  const { id } = value;
  const item: Item = { ...value, id: typeof id === 'string' && id !== '' ? id : newId('item_'), type: value['type'] };
  return output.finish(output.add(item), item);
}

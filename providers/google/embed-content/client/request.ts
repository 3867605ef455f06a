import { invalidRequest, type EmbedRequest } from '../../../../core/api/index.ts';
import type { DecodedRequest, InboundRequest, Members } from '../../../../core/api/codec.ts';
import { readWireMembers } from '../../generate-content/client/request/wire-members.ts';
import { flattenBatchExtra } from '../extra-members.ts';
import { WIRE } from '../shape.ts';
import { markSingle } from '../single.ts';
import { readEmbedItem, type EmbedItem } from './content.ts';

/** One number if it is the same for all items; otherwise each item keeps its own. */
const shareDimensions = (
  items: readonly EmbedItem[],
): { readonly dimensions?: number; readonly items: readonly EmbedItem[] } => {
  const dimensions = items[0]?.dimensions;
  if (items.some((item) => item.dimensions !== dimensions)) {
    return {
      items: items.map((item) =>
        item.dimensions === undefined
          ? item
          : { ...item, others: { ...item.others, outputDimensionality: item.dimensions } },
      ),
    };
  }
  return dimensions === undefined ? { items } : { dimensions, items };
};

const mediaOf = (items: readonly Pick<EmbedItem, 'media'>[]): Pick<EmbedRequest, 'media'> => {
  const media = items.flatMap((item) => item.media);
  return media.length === 0 ? {} : { media };
};

const decodeBatch = (body: Members): EmbedRequest => {
  const list = body.array('requests') ?? [];
  if (list.length === 0) throw invalidRequest('requests', "'requests' is empty; there is nothing to embed.");
  const { items, ...dimensions } = shareDimensions(
    list.map((item, index) => readEmbedItem(readWireMembers(item, `requests[${index}]`))),
  );
  const members = { ...body.unread(), ...flattenBatchExtra(items.map(({ others }) => others)) };
  return {
    inputs: items.map(({ text }) => text),
    ...mediaOf(items),
    ...dimensions,
    encoding: 'float',
    extra: { wire: WIRE, members },
  };
};

const decodeSingle = (body: Members): EmbedRequest => {
  const { text, media, others, ...dimensions } = readEmbedItem(body);
  return markSingle({
    inputs: [text],
    ...mediaOf([{ media }]),
    ...dimensions,
    encoding: 'float',
    extra: { wire: WIRE, members: others },
  });
};

/** The model of the path, with or without its collection. A body can repeat it. */
const readModel = (inbound: InboundRequest, body: Members): string => {
  const model = (inbound.model ?? body.string('model') ?? '').replace(/^models\//, '');
  if (model === '')
    throw invalidRequest('model', "'model' is required: the path names it, as in /v1beta/models/{model}:embedContent.");
  return model;
};

/**
 * Decodes a request of either method; a batch has `requests`. Members that are not read here become extra members.
 * @throws GatewayError 400 that names the member
 */
export function decodeRequest(inbound: InboundRequest): DecodedRequest<'embed'> {
  const body = readWireMembers(inbound.body);
  return { model: readModel(inbound, body), request: body.has('requests') ? decodeBatch(body) : decodeSingle(body) };
}

import {
  invalidRequest,
  type DecodedRequest,
  type EmbedRequest,
  type InboundRequest,
  type Members,
} from '../../../../core/index.ts';
import { readWireMembers } from '../../generate-content/client/request/wire-members.ts';
import { flattenBatchExtra } from '../extra-members.ts';
import { WIRE } from '../shape.ts';
import { markSingle } from '../single.ts';
import { readEmbedItem, type EmbedItem } from './content.ts';

/** One number where all ask for the same; otherwise each keeps its own. */
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

/** The path names the model, with or without the name of its collection; a body may repeat it. */
const readModel = (inbound: InboundRequest, body: Members): string => {
  const model = (inbound.model ?? body.string('model') ?? '').replace(/^models\//, '');
  if (model === '')
    throw invalidRequest('model', "'model' is required: the path names it, as in /v1beta/models/{model}:embedContent.");
  return model;
};

/**
 * Both methods, told apart by what the body holds; members without a canonical word stay in `extra`.
 * @throws GatewayError 400 that names the member
 */
export function decodeRequest(inbound: InboundRequest): DecodedRequest<'embed'> {
  const body = readWireMembers(inbound.body);
  return { model: readModel(inbound, body), request: body.has('requests') ? decodeBatch(body) : decodeSingle(body) };
}

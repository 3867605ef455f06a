import { invalidRequest, type EmbedRequest, type JsonObject } from '../../../../core/api/index.ts';
import type { DecodedRequest, InboundRequest, Members } from '../../../../core/api/codec.ts';
import { prefixPaths } from '../../generate-content/extra-members.ts';
import { readItems, readModel, readWireMembers } from '../../generate-content/client/request/wire-members.ts';
import { flattenBatchExtra } from '../extra-members.ts';
import { WIRE } from '../shape.ts';
import { markSingle } from '../single.ts';

/** One content to embed. */
interface EmbedItem {
  readonly text: string;
  /** Paths of the parts that are not text. */
  readonly media: readonly string[];
  readonly dimensions?: number;
  /** Extra members, those of the content under `content.`. */
  readonly others: JsonObject;
}

const isMedia = (part: Members): boolean => !part.has('text') && (part.has('inlineData') || part.has('fileData'));

const readPart = (part: Members): string => {
  const text = part.string('text');
  if (text === undefined)
    throw invalidRequest(part.path, `'${part.path}' holds nothing to embed: no text, no inlineData, no fileData.`);
  return text;
};

/** Several parts are one text, as they have one vector. The role is irrelevant and ignored. */
const readContent = (content: Members): Pick<EmbedItem, 'text' | 'media' | 'others'> => {
  content.string('role');
  const parts = readItems(content, 'parts');
  const media = parts.filter(isMedia).map(({ path }) => path);
  const text = parts
    .filter((part) => !isMedia(part))
    .map(readPart)
    .join('\n');
  if (text === '' && media.length === 0)
    throw invalidRequest(content.path, `'${content.path}' is empty; there is nothing to embed.`);
  const inner = parts.flatMap((part, index) => Object.entries(prefixPaths(`content.parts[${index}]`, part.unread())));
  return { text, media, others: { ...prefixPaths('content', content.unread()), ...Object.fromEntries(inner) } };
};

/**
 * Reads a single request, or one of a batch: https://ai.google.dev/api/embeddings#EmbedContentRequest
 * @throws GatewayError 400 that names the member
 */
function readEmbedItem(request: Members): EmbedItem {
  // Read but ignored: the path names the model.
  request.string('model');
  const content = request.object('content');
  if (content === undefined) throw invalidRequest(request.at('content'), `'${request.at('content')}' is required.`);
  const { others, ...read } = readContent(content);
  const dimensions = request.number('outputDimensionality', { integer: true, min: 1 });
  return { ...read, ...(dimensions === undefined ? {} : { dimensions }), others: { ...request.unread(), ...others } };
}

/** One number if it is the same for all items; otherwise each item keeps its own. */
const shareDimensions = (items: readonly EmbedItem[]) => {
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

/**
 * Decodes a request of either method; a batch has `requests`. Members that are not read here become extra members.
 * @throws GatewayError 400 that names the member
 */
export function decodeRequest(inbound: InboundRequest): DecodedRequest<'embed'> {
  const body = readWireMembers(inbound.body);
  const model = readModel(inbound, body, 'embedContent');
  return { model, request: body.has('requests') ? decodeBatch(body) : decodeSingle(body) };
}
